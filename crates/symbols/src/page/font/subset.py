#!/usr/bin/env python3
"""Makes holonom-math.woff2 from STIX Two Math 2.12: the letters and signs that formulas of Holonom have, nothing else.

Run once, by hand; nothing of the build needs it. It wants fonttools and brotli (`pip install fonttools brotli`) and the font,
for example `npm pack @fontsource/stix-two-math@5.3.0`, file `files/stix-two-math-latin-400-normal.woff2`:

    python3 subset.py stix-two-math-latin-400-normal.woff2 holonom-math.woff2

The font has another name than the original, so that one installed by the reader never stands in for this one.
"""

import sys

from fontTools import subset
from fontTools.ttLib import TTFont

# What `expr/print/mathml.rs` writes, and what people put into names and units.
KEPT = set(range(0x20, 0x7F))  # letters, digits, brackets, signs
KEPT |= set(map(ord, " ¨¬¯°±·×÷´¸µ¹²³½"))
KEPT |= set(map(ord, "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ"))
KEPT |= {0x131, 0x237, 0x2C6, 0x2C7, 0x2D8, 0x2D9, 0x2DA, 0x2DC, 0x302, 0x303, 0x304, 0x307, 0x308, 0x30A, 0x20D7, 0x20DB}
KEPT |= set(range(0x391, 0x3AA)) | set(range(0x3B1, 0x3CA)) | {0x3D1, 0x3D5, 0x3D6, 0x3F0, 0x3F1, 0x3F5}  # Greek, upright
KEPT |= set(range(0x1D434, 0x1D468)) | {0x210E, 0x1D6A4, 0x1D6A5}  # italic, as a browser shows single letters
KEPT |= set(range(0x1D6E2, 0x1D71C))  # Greek, italic
KEPT |= set(map(ord, "–—‘’“”†•…′″‴⁗⁄⁰⁴⁵⁶⁷⁸⁹⁺⁻ⁿ₀₁₂₃₄₅₆₇₈₉₊₋"))
KEPT |= {0x2009, 0x200A, 0x2061, 0x2062, 0x2063, 0x2064}  # thin blanks, and what is there without being seen
KEPT |= set(map(ord, "ℓℏℝ←↑→↓↔⇒⇔↦∀∂∃∅∆∇∈∉∏∑−∓∗∘∙√∝∞∠∥∧∨∩∪∫∴∼≃≅≈≔≠≡≤≥≪≫⊂⊕⊗⊤⊥⋅⋮⋯⋱⌈⌉⌊⌋⟨⟩‖∣"))


def main(source, target):
    font = TTFont(source)
    options = subset.Options()
    options.hinting = False
    options.glyph_names = False
    options.layout_features = ["ccmp", "kern", "mark", "mkmk"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.drop_tables += ["FFTM"]
    tool = subset.Subsetter(options)
    tool.populate(unicodes=KEPT)
    tool.subset(font)
    names = font["name"]
    for record in names.names:
        if record.nameID in (1, 3, 4, 6):
            name = "HolonomMath" if record.nameID == 6 else "Holonom Math"
            names.setName(name, record.nameID, record.platformID, record.platEncID, record.langID)
    font.flavor = "woff2"
    font.save(target)


main(*sys.argv[1:])
