"""Descriptions of the paper's tables, with their sources and licences."""

_LICENCE = """\
Licence: Creative Commons Attribution 4.0 International (CC BY 4.0),
https://creativecommons.org/licenses/by/4.0/. Changed from the source: {changes}
"""

MUSHROOM = """\
Mushroom
========
8124 gilled mushrooms of the Agaricus and Lepiota family, 23 columns, all categories. `class` says
edible or poisonous; the paper clusters on all 23 columns, `class` included. 2480 values are
missing, all of them in stalk-root, and read `?`, which the paper counts as one more value. No row
occurs twice.

Source: Mushroom (1981). UCI Machine Learning Repository. https://doi.org/10.24432/C5959T
By way of the R package cba (Debian's r-cran-cba), table `Mushroom`.
""" + _LICENCE.format(changes="values spelt out; stored as compressed CSV.")

VOTES = """\
Congressional Voting Records
============================
How the 435 members of the United States House of Representatives voted on 16 questions in 1984:
`y`, `n`, or `?` where no position is known (392 times; the paper counts it as one more value).
`class` is the party, 267 democrats and 168 republicans; the paper leaves it out of clustering.

Source: Congressional Voting Records (1987). UCI Machine Learning Repository.
https://doi.org/10.24432/C5C01P
By way of the R package cba (Debian's r-cran-cba), table `Votes`.
""" + _LICENCE.format(changes="stored as compressed CSV.")

SOYBEAN = """\
Soybean (Large)
===============
683 diseased soybean plants, 35 attributes, 19 diseases (`class`, left out of clustering). Each
value is the digit that the source gives it, as text because it is a name, not an amount.
2337 values are missing and read `?`, which the paper counts as one more value.

Source: Michalski, R. S. and Chilausky, R. L. (1980). Soybean (Large).
UCI Machine Learning Repository. https://doi.org/10.24432/C5JG6Z
By way of the R package mlbench (Debian's r-cran-mlbench), table `Soybean`.
""" + _LICENCE.format(changes="training and test part joined; stored as compressed CSV.")

ZOO = """\
Zoo
===
101 animals: 15 yes-or-no attributes, the number of legs, and the `type` of animal (7 types). The
paper clusters on these 17, `type` included; `animal`, the name, is only in `frame`.

Source: Forsyth, R. (1990). Zoo. UCI Machine Learning Repository.
https://doi.org/10.24432/C5R59V
By way of the R package mlbench (Debian's r-cran-mlbench), table `Zoo`.
""" + _LICENCE.format(changes="stored as compressed CSV.")
