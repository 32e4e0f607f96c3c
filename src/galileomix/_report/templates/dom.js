"use strict";

// Elements are made here and nowhere else. Names and values of the table become text, never markup.

const SVG = "http://www.w3.org/2000/svg";

function byId(id) {
  return document.getElementById(id);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== undefined));
  return node;
}

function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

// A name or a value of the table, whichever way it is written.
function quoted(text, attributes = {}) {
  return element("bdi", attributes, text);
}

function picture(width, height, label, ...children) {
  const box = { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label };
  return drawn("svg", box, ...children);
}

function clipped(text, most) {
  const characters = [...text];
  return characters.length <= most ? text : characters.slice(0, most - 1).join("") + "…";
}

function option(value, text, attributes = {}) {
  return element("option", { value, ...attributes }, text);
}
