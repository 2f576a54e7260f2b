// palette.js: every color of the views, light and dark and in each palette. Those that pictures
// have too come from colors.js; what the page has alone stands here.
import { COLORS } from "./colors.js";

function parse(hex) {
    const n = parseInt(hex.slice(1), 16);
    return [n >> 16, (n >> 8) & 255, n & 255];
}

/* The color a share t of the way from a to b. */
export function mix(a, b, t) {
    const [from, to] = [parse(a), parse(b)];
    const parts = from.map((v, i) => Math.round(v + (to[i] - v) * t));
    return `#${parts.map((v) => v.toString(16).padStart(2, "0")).join("")}`;
}

export function fade(hex, alpha) {
    return `rgb(${parse(hex).join(" ")} / ${alpha})`;
}

/* As a word of an ImageData seen through a Uint32Array. */
export function word(hex) {
    const [r, g, b] = parse(hex);
    return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

// ---- what things look like ----

const groups = (list, size) =>
    Array.from({ length: list.length / size }, (_, i) => list.slice(size * i, size * (i + 1)));

/* Colors as views take them. Of a world's layers the top, the sides to the left and to the right,
   and every other cell's top, and both tops for each tint of islands; of its earth both sides. */
function compose(colors, more) {
    const { night, lane, spine, spare, gold, stars } = colors;
    const { land, isles, earth, decks, tree, trunk, flags } = colors;
    const [deck, litDeck] = groups(decks, 3);
    const [top, bottom] = night;
    const layers = groups(land, 4);
    const tints = groups(groups(isles, 2), layers.length);
    const { dust, rope, lit } = more;
    return {
        ...colors,
        ...more,
        reliefs: groups(colors.reliefs, colors.reliefs.length / colors.countries.length),
        space: { top, bottom, dust, lane, spine, spare, gold, lit, stars },
        land: {
            layers,
            tops: [layers.map(([top, , , other]) => [top, other]), ...tints],
            earth: groups(earth, 2),
            ...{ deck, litDeck, rope, tree, trunk },
            flags: { start: flags[0], end: flags[1] },
        },
    };
}

const PAGE = {
    light: {
        dark: false,
        back: "#eef2f6",
        seam: "#5b6673",
        ink: "#1f2731",
        halo: "#ffffff",
        lit: "#ffffff",
        cursor: "#1f2731",
        wrong: "#c0271d",
        done: "#228833",
        dust: "#c9d4ff",
        rope: "#e3cfa6",
    },
    dark: {
        dark: true,
        back: "#11151b",
        seam: "#7f8b99",
        ink: "#eef2f6",
        halo: "#11151b",
        lit: "#ffffff",
        cursor: "#ffffff",
        wrong: "#ff8a7d",
        done: "#6fd08c",
        dust: "#c9d4ff",
        rope: "#e3cfa6",
    },
};
// On paper all is black on white and light greys, by night as well.
PAGE.print = { ...PAGE.light, paper: true, back: "#ffffff", dust: "#ffffff", rope: "#606060" };

const THEMES = {
    light: compose(COLORS.light, PAGE.light),
    dark: compose(COLORS.dark, PAGE.dark),
    colorblind: compose(COLORS.colorblind, PAGE.light),
    darkColorblind: compose(COLORS.darkColorblind, PAGE.dark),
    print: compose(COLORS.print, { ...PAGE.print, lit: "#555555" }),
};
THEMES.print.space.lit = "#111111";

/* palette: as the look of a drawing has it. It goes before light and dark. */
export function theme(dark, palette) {
    if (palette === "print") return THEMES.print;
    if (palette === "colorblind") return dark ? THEMES.darkColorblind : THEMES.colorblind;
    return dark ? THEMES.dark : THEMES.light;
}

/* How a lane is drawn: thin, thick where it is of the minimum graph, or dashed where it is long. */
export const [LANE, SPINE, DASHED] = [0, 1, 2];

// Kinds of stars, the hottest first, and how large they are.
const KINDS = "0011122223333444"; // by chance
const SIZES = [1.3, 1.15, 1.04, 0.96, 0.9];

/* Of which kind a star is, and how large. */
export function starKind(i) {
    const kind = Number(KINDS[noiseBelow(i, KINDS.length)]);
    return { kind, size: SIZES[kind] };
}

/* Black or white, whichever is read better on it: as in src/enc/ink.c. */
export function inkOn(hex) {
    const [r, g, b] = parse(hex);
    return 213 * r * r + 715 * g * g + 72 * b * b > 230 * 255 * 255 ? "#111111" : "#ffffff";
}

/* A share from 0 to 1 that looks like chance, and is the same each time; as src/kit/noise.h. */
export function noise(n) {
    let h = Math.imul(n | 0, 0x9e3779b1) ^ 0x85ebca6b;
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
    return ((h ^ (h >>> 15)) >>> 0) / 4294967296;
}

/* One of so many whole numbers from 0 on. */
export const noiseBelow = (n, below) => Math.floor(noise(n) * below);
