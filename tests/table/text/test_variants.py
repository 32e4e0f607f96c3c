"""Columns as people write them in CSV files: read as a person would, or a note says what to do.

Cells stand between bars. Dates are given as they read in ISO format, times and durations in
seconds. Variants of one kind stand side by side in one file, below them empty cells.
"""

import csv
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pytest

from galileomix._table import Column, Summary, cells, open_table, read
from galileomix._table.column import TextColumn
from galileomix._table.infer.column_summary import ColumnSummary
from galileomix._table.infer.notes import notes_of
from galileomix._table.infer.scan import scan
from galileomix.errors import TableError

# What means missing in any column.
SPELLED = [
    *("", " ", "NA", " NA ", "N/A", "n/a", "#N/A", "#N/A N/A", "#NA", "<NA>", "N.A.", "n.a."),
    *("NULL", "Null", "null", "(null)", "<null>", "[NULL]", "\\N", "None", "NaT"),
    *("NaN", "nan", "NAN", "-NaN", "-nan", "1.#IND", "-1.#QNAN"),
    *("#DIV/0!", "#VALUE!", "#REF!", "#NUM!"),
]
# What does unless the other values are signs too.
SYMBOLS = ["?", ".", "-", "--", "---", "..", "...", "\u2013", "\u2014", " ? "]
AMONG = {
    "decimals": ("number", "1.5|2.25|-3|1.2e3|12.75", [1.5, 2.25, -3.0, 1200.0, 12.75]),
    "money": ("number", "$1,200.50|$3.00|$0.99", [1200.5, 3.0, 0.99]),
    "few whole numbers": ("category", "1|2|2|3|1", [1, 2, 2, 3, 1]),
    "words": ("category", "low|high|mid|low", ["low", "high", "mid", "low"]),
    "booleans": ("category", "true|false|true", [True, False, True]),
    "dates": ("date", "2020-01-31|2021-12-05", ["2020-01-31", "2021-12-05"]),
}
# Words that mean missing among numbers and dates, of which a note tells; values among words.
WORDS = [
    *("none", "na", "missing", "unknown", "Unknown", "nil", "n/d", "not available", "TBD"),
    *("*", "(blank)", "<5", "see notes"),
]

DECIMALS = [
    # as programs write them
    ("1.5|2|-3|.5|12.|+7", [1.5, 2, -3, 0.5, 12, 7]),
    ("1e3|2.5E-1|-1.5e+2", [1000, 0.25, -150]),
    (" 1.5|2.5 |\t3", [1.5, 2.5, 3]),
    ("0.10|0.1|0.25", [0.1, 0.1, 0.25]),
    # groups of digits
    ("1,234.5|-0.75|1,500,000", [1234.5, -0.75, 1500000]),
    ("1 234.5|-0.75|1 500 000", [1234.5, -0.75, 1500000]),
    ("1'234.5|-0.75|1'500'000", [1234.5, -0.75, 1500000]),
    ("1’234.5|-0.75|1’500’000", [1234.5, -0.75, 1500000]),
    ("1\u00a0234.5|-0.75|1\u00a0500\u00a0000", [1234.5, -0.75, 1500000]),
    ("1\u202f234.5|-0.75|1\u202f500\u202f000", [1234.5, -0.75, 1500000]),
    ("1_234.5|-0.75|1_500_000", [1234.5, -0.75, 1500000]),
    ("1,23,456|12,34,567.5|99.25", [123456, 1234567.5, 99.25]),
    ("1,234|0.5|12", [1234, 0.5, 12]),
    # decimal commas
    ("1,5|-0,75|12", [1.5, -0.75, 12]),
    ("1.234,5|-0,75|1.500.000", [1234.5, -0.75, 1500000]),
    ("1 234,5|-0,75|1 500 000", [1234.5, -0.75, 1500000]),
    ("1\u00a0234,5|-0,75|12", [1234.5, -0.75, 12]),
    ("1'234,5|0,75", [1234.5, 0.75]),
    ("1,5|2,5|1,234", [1.5, 2.5, 1.234]),
    ("1,5e3|2,5", [1500, 2.5]),
    (",5|1,25", [0.5, 1.25]),
    # signs
    ("\u22121.5|2.5|\u22120.25", [-1.5, 2.5, -0.25]),
    ("(1.5)|2.5|(1,200)", [-1.5, 2.5, -1200]),
    ("1.50-|2.5", [-1.5, 2.5]),
    ("- 1.5|2.5", [-1.5, 2.5]),
    ("+1.5|+2.5|-1", [1.5, 2.5, -1]),
    # money
    ("$1,234.50|$3.00|-$0.75|$12", [1234.5, 3, -0.75, 12]),
    ("$-0.75|$3.5", [-0.75, 3.5]),
    ("$ 1.50|$ 12.25", [1.5, 12.25]),
    ("($1,234.50)|$3.25", [-1234.5, 3.25]),
    ("1,234.50$|3.00$", [1234.5, 3]),
    ("1,234.50 $|3.10 $", [1234.5, 3.1]),
    ("€1.234,50|€3,00", [1234.5, 3]),
    ("€ 1.234,50|€ 3,00", [1234.5, 3]),
    ("1.234,50 €|3,00 €|-0,75 €", [1234.5, 3, -0.75]),
    ("1.234,50€|3,25€", [1234.5, 3.25]),
    ("1 234,50 €|3,00 €", [1234.5, 3]),
    ("£1,234.50|£3.00", [1234.5, 3]),
    ("¥1,234.5|¥300", [1234.5, 300]),
    ("₹1,23,456.50|₹99", [123456.5, 99]),
    ("₽1.5|₽2", [1.5, 2]),
    ("฿1.5|฿2", [1.5, 2]),
    ("₺1,5|₺2", [1.5, 2]),
    ("R$ 1.234,50|R$ 3,00", [1234.5, 3]),
    ("US$1,234.50|US$3", [1234.5, 3]),
    ("A$1.50|A$3", [1.5, 3]),
    ("USD 1,234.50|USD 3", [1234.5, 3]),
    ("1,234.50 USD|3 USD", [1234.5, 3]),
    ("EUR 1,5|EUR 3", [1.5, 3]),
    ("1'234.50 CHF|3.05 CHF", [1234.5, 3.05]),
    ("CHF 1'234.50|CHF 3.05", [1234.5, 3.05]),
    ("1 234,50 zł|3,25 zł", [1234.5, 3.25]),
    ("kr 1,5|kr 3", [1.5, 3]),
    ("Rs. 1,234.5|Rs. 3", [1234.5, 3]),
    # per cent and units
    ("5%|12.5%|-3%", [5, 12.5, -3]),
    ("5 %|12.5 %", [5, 12.5]),
    ("1,5 %|2,25 %", [1.5, 2.25]),
    ("1.5‰|2‰", [1.5, 2]),
    ("1.5 kg|2 kg|1,200 kg", [1.5, 2, 1200]),
    ("1.5kg|2kg", [1.5, 2]),
    ("80.5 km/h|120 km/h", [80.5, 120]),
    ("7.5 mg/dl|9 mg/dl", [7.5, 9]),
    ("5.5 l/100km|7 l/100km", [5.5, 7]),
    ("55.5 m²|120 m²", [55.5, 120]),
    ("-3.5 °C|12 °C", [-3.5, 12]),
    ("-3.5°|12°", [-3.5, 12]),
    ("36.6°F|98.1°F", [36.6, 98.1]),
    ("1.5 µg|2 µg", [1.5, 2]),
    ("1.5 GB|2 GB", [1.5, 2]),
    ("1200.5 sq ft|800 sq ft", [1200.5, 800]),
    ('5.5"|12"', [5.5, 12]),
    ("1.5 years|2 years", [1.5, 2]),
    ("1.5k|2k", [1.5, 2]),
    ("1,5 Mio.|2 Mio.", [1.5, 2]),
    ("1.5x|2x", [1.5, 2]),
    ("1.5 元|2 元", [1.5, 2]),
]

WHOLE = "12|345|{}|56|3|44|78|900|15|23|67|88|5|91"
WHOLE_NUMBERS = [
    (WHOLE.format(text), [12, 345, value, 56, 3, 44, 78, 900, 15, 23, 67, 88, 5, 91])
    for text, value in [
        *(
            ("1200", 1200),
            ("1,200", 1200),
            ("1 200", 1200),
            ("1'200", 1200),
            ("1.200.000", 1200000),
        ),
        *(("-7", -7), ("(7)", -7), ("7-", -7), ("\u22127", -7), ("1e6", 1000000), ("7.0", 7)),
        *(("+7", 7), (" 7", 7), ("7.", 7), ("$7", 7), ("7%", 7), ("7 kg", 7)),
    ]
]
NUMBERS: list[tuple[str, Sequence[float]]] = [*DECIMALS, *WHOLE_NUMBERS]

DATES = [
    # year first
    ("2020-01-31|1999-12-05", "2020-01-31|1999-12-05"),
    ("2020/01/31|1999/12/05", "2020-01-31|1999-12-05"),
    ("2020.01.31|1999.12.05", "2020-01-31|1999-12-05"),
    ("2020-1-31|1999-12-5", "2020-01-31|1999-12-05"),
    ("20200131|19991205", "2020-01-31|1999-12-05"),
    ("2020-Jan-31|1999-Dec-05", "2020-01-31|1999-12-05"),
    ("2020 January 31|1999 December 5", "2020-01-31|1999-12-05"),
    ("2020年1月31日|1999年12月5日", "2020-01-31|1999-12-05"),
    ("1899-12-31|1066-10-14", "1899-12-31|1066-10-14"),
    # day first or month first: one cell decides for all
    ("31/01/2020|05/12/1999", "2020-01-31|1999-12-05"),
    ("01/31/2020|12/05/1999", "2020-01-31|1999-12-05"),
    ("31.01.2020|05.12.1999", "2020-01-31|1999-12-05"),
    ("31.1.2020|5.12.1999", "2020-01-31|1999-12-05"),
    ("31-01-2020|05-12-1999", "2020-01-31|1999-12-05"),
    ("01-31-2020|12-05-1999", "2020-01-31|1999-12-05"),
    ("31 01 2020|05 12 1999", "2020-01-31|1999-12-05"),
    ("1/31/2020|12/5/1999", "2020-01-31|1999-12-05"),
    ("02/29/2020|01/02/2021", "2020-02-29|2021-01-02"),
    # years of two digits
    ("31/01/20|05/12/99", "2020-01-31|1999-12-05"),
    ("1/31/20|12/5/99", "2020-01-31|1999-12-05"),
    ("31.01.20|05.12.99", "2020-01-31|1999-12-05"),
    ("31-Jan-20|05-Dec-99", "2020-01-31|1999-12-05"),
    ("31.12.68|31.12.69", "2068-12-31|1969-12-31"),
    # names of months
    ("31 Jan 2020|5 Dec 1999", "2020-01-31|1999-12-05"),
    ("31-JAN-2020|05-DEC-1999", "2020-01-31|1999-12-05"),
    ("31JAN2020|05DEC1999", "2020-01-31|1999-12-05"),
    ("31jan20|05dec99", "2020-01-31|1999-12-05"),
    ("31 January 2020|5 December 1999", "2020-01-31|1999-12-05"),
    ("31. January 2020|5. December 1999", "2020-01-31|1999-12-05"),
    ("31st January 2020|2nd December 1999", "2020-01-31|1999-12-02"),
    ("Jan 31, 2020|Dec 5, 1999", "2020-01-31|1999-12-05"),
    ("January 31, 2020|December 5, 1999", "2020-01-31|1999-12-05"),
    ("Jan. 31, 2020|Sept. 5, 1999", "2020-01-31|1999-09-05"),
    ("January 31st, 2020|May 2nd, 1999", "2020-01-31|1999-05-02"),
    ("Jan 31 2020|May 5 1999", "2020-01-31|1999-05-05"),
    ("Jan-31-2020|May-05-1999", "2020-01-31|1999-05-05"),
    ("Fri, 31 Jan 2020|Sun, 5 Dec 1999", "2020-01-31|1999-12-05"),
    ("Friday, 31 January 2020|Sunday, 5 December 1999", "2020-01-31|1999-12-05"),
    ("Friday, January 31, 2020|Sunday, December 5, 1999", "2020-01-31|1999-12-05"),
    ("Fri Jan 31 2020|Sun Dec 05 1999", "2020-01-31|1999-12-05"),
    # months and quarters
    ("2020-01|1999-12", "2020-01-01|1999-12-01"),
    ("2020/01|1999/12", "2020-01-01|1999-12-01"),
    ("01/2020|12/1999", "2020-01-01|1999-12-01"),
    ("01-2020|12-1999", "2020-01-01|1999-12-01"),
    ("Jan 2020|Dec 1999", "2020-01-01|1999-12-01"),
    ("January 2020|December 1999", "2020-01-01|1999-12-01"),
    ("Jan-2020|Dec-1999", "2020-01-01|1999-12-01"),
    ("Jan-20|Dec-99", "2020-01-01|1999-12-01"),
    ("2020Q1|1999Q4", "2020-01-01|1999-10-01"),
    ("2020-Q1|1999-Q4", "2020-01-01|1999-10-01"),
    ("2020 q2|1999 q3", "2020-04-01|1999-07-01"),
    ("Q1 2020|Q4 1999", "2020-01-01|1999-10-01"),
    # with the time of day
    ("2020-01-31T13:05:09|1999-12-05T00:00:00", "2020-01-31 13:05:09|1999-12-05"),
    ("2020-01-31 13:05:09|1999-12-05 23:59:59", "2020-01-31 13:05:09|1999-12-05 23:59:59"),
    ("2020-01-31 13:05|1999-12-05 9:07", "2020-01-31 13:05|1999-12-05 09:07"),
    ("2020-01-31|1999-12-05 09:07", "2020-01-31|1999-12-05 09:07"),
    ("2020-01-31T13:05:09Z|1999-12-05T00:00:00Z", "2020-01-31 13:05:09|1999-12-05"),
    ("2020-01-31T13:05:09+02:00|1999-12-05T01:00+02:00", "2020-01-31 11:05:09|1999-12-04 23:00"),
    ("2020-01-31T23:05:09-0500|1999-12-05T00:00-0500", "2020-02-01 04:05:09|1999-12-05 05:00"),
    ("2020-01-31 13:05:09+00|1999-12-05 00:00:00+05", "2020-01-31 13:05:09|1999-12-04 19:00"),
    ("2020-01-31 13:05:09+05:30|1999-12-05 12:00-03:30", "2020-01-31 07:35:09|1999-12-05 15:30"),
    ("2020-01-31 13:05:09 UTC|1999-12-05 00:00:00 UTC", "2020-01-31 13:05:09|1999-12-05"),
    (
        "2020-01-31 13:05:09.250|1999-12-05 00:00:00.5",
        "2020-01-31 13:05:09.250|1999-12-05 00:00:00.500",
    ),
    ("2020-01-31T13:05:09.25Z|1999-12-05T00:00:00Z", "2020-01-31 13:05:09.250|1999-12-05"),
    ("2020-01-31 13:05:09,250|1999-12-05 00:00:00,0", "2020-01-31 13:05:09.250|1999-12-05"),
    ("20200131T130509|19991205T000000", "2020-01-31 13:05:09|1999-12-05"),
    ("20200131130509|19991205000000", "2020-01-31 13:05:09|1999-12-05"),
    ("2020-01-31_13:05|1999-12-05_00:00", "2020-01-31 13:05|1999-12-05"),
    ("31/01/2020 13:05|05/12/1999 00:00", "2020-01-31 13:05|1999-12-05"),
    ("1/31/2020 1:05 PM|12/5/1999 12:00 AM", "2020-01-31 13:05|1999-12-05"),
    ("01/31/2020 01:05:09 pm|12/05/1999 12:00:00 pm", "2020-01-31 13:05:09|1999-12-05 12:00"),
    ("31.01.2020 13:05|05.12.1999 00:00", "2020-01-31 13:05|1999-12-05"),
    ("31.01.2020, 13:05|05.12.1999, 00:00", "2020-01-31 13:05|1999-12-05"),
    ("31-Jan-2020 13:05:09|05-Dec-1999 00:00:00", "2020-01-31 13:05:09|1999-12-05"),
    ("31JAN2020:13:05:09|05DEC1999:00:00:00", "2020-01-31 13:05:09|1999-12-05"),
    ("31/Jan/2020:13:05:09 +0000|05/Dec/1999:01:00:00 +0100", "2020-01-31 13:05:09|1999-12-05"),
    ("Fri Jan 31 13:05:09 2020|Sun Dec  5 00:00:00 1999", "2020-01-31 13:05:09|1999-12-05"),
    (
        "Fri Jan 31 13:05:09 +0000 2020|Sun Dec 05 00:00:00 UTC 1999",
        "2020-01-31 13:05:09|1999-12-05",
    ),
    (
        "Fri, 31 Jan 2020 13:05:09 GMT|Sun, 05 Dec 1999 00:00:00 GMT",
        "2020-01-31 13:05:09|1999-12-05",
    ),
    ("Jan 31, 2020 1:05 PM|Dec 5, 1999 12:00 AM", "2020-01-31 13:05|1999-12-05"),
    ("Jan 31, 2020, 1:05:09 PM|Dec 5, 1999, 12:00:00 AM", "2020-01-31 13:05:09|1999-12-05"),
]

SECONDS = [
    ("13:05|00:00|9:07", [47100, 0, 32820]),
    ("13:05:09|00:00:00|23:59:59", [47109, 0, 86399]),
    ("13:05:09.25|00:00:00", [47109.25, 0]),
    ("1:05 PM|12:00 AM|12:30 pm", [47100, 0, 45000]),
    ("1:05PM|12:00AM|6:30a.m.", [47100, 0, 23400]),
    ("1 days 02:03:04|0 days 00:00:10|-1 days +23:59:59", [93784, 10, -1]),
    ("1 day, 2:03:04|3 days, 0:00:00", [93784, 259200]),
    ("1 days 02:03:04.500000|0 days", [93784.5, 0]),
    ("25:10:00|100:00:01|0:30:00", [90600, 360001, 1800]),
]

# What stays as it is written, or as the value that it is.
CATEGORIES: list[tuple[str, list[Any]]] = [
    ("true|false|true", [True, False, True]),
    ("True|False|True", [True, False, True]),
    ("TRUE|FALSE|TRUE", [True, False, True]),
    ("yes|no|yes", ["yes", "no", "yes"]),
    ("Y|N|Y", ["Y", "N", "Y"]),
    ("T|F|T", ["T", "F", "T"]),
    ("0|1|1", [0, 1, 1]),
    ("1|2|5|3|4|1", [1, 2, 5, 3, 4, 1]),
    ("1.0|2.0|1.0", [1, 2, 1]),
    ("007|012|123", ["007", "012", "123"]),
    ("01|2|3.5", ["01", "2", "3.5"]),
    ("12345678901234567890|12345678901234567891", ["12345678901234567890", "12345678901234567891"]),
    ("36 months|60 months|36 months", ["36 months", "60 months", "36 months"]),
    ("5 kg|3 lb", ["5 kg", "3 lb"]),
    ("+|-|+|-", ["+", "-", "+", "-"]),
    ("++|+|-|--", ["++", "+", "-", "--"]),
    ("?|!|?", ["?", "!", "?"]),
    ("low|none|high", ["low", "none", "high"]),
    ("low|unknown|high", ["low", "unknown", "high"]),
    ("10-20|20-30|30-40", ["10-20", "20-30", "30-40"]),
    ("<5|5-10|>10", ["<5", "5-10", ">10"]),
    ("1st|2nd|3rd", ["1st", "2nd", "3rd"]),
    ("A1|B2|A1", ["A1", "B2", "A1"]),
    ("0x1F|0xA0", ["0x1F", "0xA0"]),
    ("1.2.3|1.10.0", ["1.2.3", "1.10.0"]),
    ("1:1|2:1|3:1", ["1:1", "2:1", "3:1"]),
    ("1/2|3/4", ["1/2", "3/4"]),
    ("Jan|Feb|Mar", ["Jan", "Feb", "Mar"]),
    ("Monday|Friday", ["Monday", "Friday"]),
    ("192.168.0.1|10.0.0.1", ["192.168.0.1", "10.0.0.1"]),
    ("true|false|maybe", ["true", "false", "maybe"]),
    ("1|true|0", ["1", "true", "0"]),
    ("2020-01-31|words|1.5|more|x", ["2020-01-31", "words", "1.5", "more", "x"]),
    ("a, b|c|a, b", ["a, b", "c", "a, b"]),
    ("Ä|ß|日本", ["Ä", "ß", "日本"]),
]

MANY = range(30)
NOTES = [
    ("03/04/2020|05/06/2021", "every date can be read as month/day/year or day.month.year"),
    ("03-04-2020|05-06-2021", "every date can be read as day.month.year or month-day-year"),
    ("2020-02-30|2020-02-01|2020-03-01", "1 cell among dates ('2020-02-30') taken for missing"),
    ("0000-00-00|2020-02-01|2020-03-01", "1 cell among dates ('0000-00-00') taken for missing"),
    ("9999-12-31|2020-02-01|2020-03-01", "1 cell among dates ('9999-12-31') taken for missing"),
    ("12/31/2020|13/01/2021|03/05/2021", "1 cell among dates ('13/01/2021') taken for missing"),
    ("1,5|2,5", "numbers with decimal commas"),
    ("$1.50|$2.50", "numbers written with a unit or thousands separators"),
    ("1.5|2|1,200", "numbers written with a unit or thousands separators"),
    ("NA|1.5|2", "'NA' in 1 column mean missing (`default_missing=False` if they are values)"),
    ("?|1.5|2", "'?' in 1 column mean missing (`default_missing=False` if they are values)"),
    ("|".join(f"{n} kg|{n}.5 lb" for n in MANY), "numbers in several units ('kg', 'lb')"),
    ("|".join(f"{n}k|{n}.5M" for n in MANY), "write all of them in one way"),
    ("|".join(f"{n}.5|{n},5" for n in MANY), "numbers with decimal points and commas"),
    ("|".join(f"${n}|€{n}.5" for n in MANY), "numbers in several units ('$', '€')"),
    ("|".join(f"~{n}.5" for n in MANY), "an identifier, left out (name it in `categorical`"),
    ("|".join(f"2020-W{n + 10}" for n in MANY), "an identifier, left out"),
    ("|".join(f"it was a long day, number {n}" for n in MANY), "free text, left out"),
    ("|".join(["x"] * 5), "constant, ignored"),
    ("NA|?|", "missing in every row, ignored"),
]


INFINITE = ["inf|1.5|2", "-Infinity|1.5|2", "1e999|1.5|2", "1.5|INF|2"]


class Found(NamedTuple):
    """How a column was taken: its type, its cells, and what was said of it."""

    type: str
    cells: list[Any]
    notes: str


@cache
def taken_from(columns: tuple[str, ...]) -> dict[str, Found]:
    """Write columns to one CSV file, read them as a fit does, and judge each by itself."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        with path.open("w", newline="") as file:
            rows = zip_longest(*(column.split("|") for column in columns), fillvalue="")
            csv.writer(file).writerows([[f"x{n}" for n in range(len(columns))], *rows])
        summary, texts = scan(open_table(path)), read(path).columns
    parts = zip(columns, summary.columns, texts, strict=True)
    return {column: _judged(column, found, text) for column, found, text in parts}


def _judged(column: str, summary: ColumnSummary, text: Column) -> Found:
    assert isinstance(text, TextColumn)
    schema = Summary(("x",), (summary,), len(text.codes)).schema()
    [found] = schema.columns
    values = cells(found.format.read(text)).tolist()[: len(column.split("|"))]
    notes = "\n".join(note.text for note in notes_of(schema, [summary]))
    return Found(found.type, [None if value != value else value for value in values], notes)


def taken(column: str, columns: Sequence[str]) -> Found:
    """Return how one of some columns is taken."""
    return taken_from(tuple(dict.fromkeys(columns)))[column]


def seconds(texts: str) -> list[float]:
    """Return dates as seconds since 1970."""
    since = datetime(1970, 1, 1)
    return [(datetime.fromisoformat(text) - since).total_seconds() for text in texts.split("|")]


@pytest.mark.parametrize("among", AMONG)
@pytest.mark.parametrize("spelling", [*SPELLED, *SYMBOLS])
def test_missing_values(spelling: str, among: str) -> None:
    type_, column, values = AMONG[among]
    found = taken(f"{column}|{spelling}", [f"{column}|{text}" for text in (*SPELLED, *SYMBOLS)])
    expected = seconds("|".join(map(str, values))) if type_ == "date" else values
    assert found[:2] == (type_, [*expected, None])
    assert bool(spelling.strip()) is ("missing (`default_missing=False`" in found.notes)


@pytest.mark.parametrize("word", WORDS)
def test_words_that_may_mean_missing(word: str) -> None:
    found = taken(f"1.5|2.5|{word}|3", [f"1.5|2.5|{text}|3" for text in WORDS])
    assert found[:2] == ("number", [1.5, 2.5, None, 3.0])
    assert f"1 cell among numbers ({word!r}) taken for missing" in found.notes
    assert "`categorical`" in found.notes
    assert "thousands" not in found.notes
    dates = "2020-01-31|{}|2020-02-01"
    found = taken(dates.format(word), [dates.format(text) for text in WORDS])
    assert f"1 cell among dates ({word!r}) taken for missing" in found.notes
    found = taken(f"low|{word}|high", [f"low|{text}|high" for text in WORDS])
    assert found == ("category", ["low", word, "high"], "")


@pytest.mark.parametrize(("column", "numbers"), NUMBERS)
def test_numbers(column: str, numbers: Sequence[float]) -> None:
    found = taken(column, [column for column, _ in NUMBERS])
    assert found.type == "number"
    np.testing.assert_allclose(found.cells, numbers, rtol=1e-15)


@pytest.mark.parametrize(("column", "dates"), DATES)
def test_dates(column: str, dates: str) -> None:
    found = taken(column, [column for column, _ in DATES])
    assert found == ("date", seconds(dates), "")


@pytest.mark.parametrize(("column", "expected"), SECONDS)
def test_times_and_durations(column: str, expected: list[float]) -> None:
    found = taken(column, [column for column, _ in SECONDS])
    assert found == ("date", expected, "")


@pytest.mark.parametrize(("column", "values"), CATEGORIES)
def test_categories(column: str, values: list[Any]) -> None:
    found = taken(column, [column for column, _ in CATEGORIES])
    assert found == ("category", values, "")
    kinds = [{type(value) for value in part} - {int, float} for part in (found.cells, values)]
    assert kinds[0] == kinds[1]


@pytest.mark.parametrize(("column", "note"), NOTES)
def test_what_can_be_read_in_several_ways_is_noted(column: str, note: str) -> None:
    assert note in taken(column, [column for column, _ in NOTES]).notes


@pytest.mark.parametrize("column", INFINITE)
def test_infinite_numbers_are_refused_with_what_to_do(column: str) -> None:
    with pytest.raises(TableError, match=r"inf is infinite .* name it in `missing_values`"):
        taken(column, [column])


def test_there_are_enough_of_them() -> None:
    missing = len(SPELLED + SYMBOLS) * len(AMONG) + len(WORDS)
    others = (NUMBERS, DATES, SECONDS, CATEGORIES, NOTES)
    assert missing > 200
    assert sum(map(len, others)) > 200
