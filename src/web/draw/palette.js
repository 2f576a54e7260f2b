// palette.js: every colour of the views, light and dark and in each palette, in one place.

// Light fills that people with any colour vision tell apart (after Paul Tol's light scheme), as in
// src/enc/ink.c.
const COUNTRIES = [
    "#77aadd",
    "#ee8866",
    "#eedd88",
    "#ffaabb",
    "#99ddff",
    "#44bb99",
    "#bbcc33",
    "#aaaa00",
    "#dddddd",
];

// Tracks of a puzzle, from his bright and muted schemes. Letters tell them apart for sure.
const TRACKS = [
    "#4477aa",
    "#ee6677",
    "#228833",
    "#ccbb44",
    "#66ccee",
    "#aa3377",
    "#ee8833",
    "#332288",
    "#44aa99",
    "#999933",
    "#cc6677",
    "#882255",
    "#88ccee",
    "#117733",
    "#ddcc77",
    "#aa4499",
];

function parse(hex) {
    const n = parseInt(hex.slice(1), 16);
    return [n >> 16, (n >> 8) & 255, n & 255];
}

/* The colour a share t of the way from a to b. */
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

// ---- what things look like: most of it as in src/enc/ink.c and ink_scheme.c ----

// Space is dark by day as well. Stars are of five kinds, the hottest first, as in
// src/enc/picture/scene/graph.c.
export const SPACE = {
    top: "#0a0f24",
    bottom: "#161032",
    dust: "#c9d4ff",
    lane: "#5b78b4",
    spine: "#9fc0ff",
    spare: "#2c3458",
    gold: "#ffcc44",
    lit: "#ffffff",
    stars: ["#a3bfff", "#d7e2ff", "#fff8ec", "#ffdba6", "#ffaf87"],
};

// A world in the sky: of layers of land from the shore to the peaks the top, the sides to the left
// and to the right, and every other cell's top; of earth, from below the turf downward, both sides.
export const LAND = {
    layers: [
        ["#6fae5c", "#568c52", "#3f6e49", "#7db66c"],
        ["#93c165", "#74a058", "#577f4b", "#9ec774"],
        ["#b9d274", "#96b063", "#728c53", "#c0d682"],
        ["#d6d98f", "#b1b276", "#8b8c60", "#dadd9a"],
        ["#d9cfae", "#b0a588", "#86806c", "#ddd4b6"],
        ["#d9d6cc", "#aaa89f", "#807f7b", "#dddad1"],
        ["#e9eaea", "#b9bfc4", "#8d959d", "#ebecec"],
        ["#ffffff", "#cfdae4", "#a3b3c4", "#f4f7fa"],
    ],
    earth: [
        ["#a8835a", "#80623f"],
        ["#957257", "#6f5440"],
        ["#82685a", "#604c42"],
        ["#6e5f5b", "#514644"],
    ],
    deck: ["#d8a26a", "#a8743f", "#7f5430"],
    litDeck: ["#ffd65c", "#d3a02c", "#a67a1e"],
    rope: "#e3cfa6",
    tree: ["#418c4e", "#2f6b44", "#57a35c", "#3a7f4b"],
    trunk: "#6f4d2f",
    flags: { start: "#0077bb", end: "#cc3311" },
};

const LIGHT = {
    dark: false,
    back: "#eef2f6",
    countries: COUNTRIES,
    water: "#d3e3f0",
    ground: "#f6f3ec",
    border: "#445566",
    net: "#7c8896",
    walk: "#47617c",
    text: "#1f2731",
    seam: "#5b6673",
    mark: "#223344",
    ink: "#1f2731",
    halo: "#ffffff",
    lit: "#ffffff",
    sky: ["#8fc3e8", "#cfe6f4", "#f4f8fa"],
    board: "#f7f9fb",
    boardLine: "#c4ccd4",
    wall: "#56616e",
    cursor: "#1f2731",
    wrong: "#c0271d",
    done: "#228833",
    space: SPACE,
    land: LAND,
    tracks: [],
};

const DARK = {
    ...LIGHT,
    dark: true,
    back: "#11151b",
    countries: COUNTRIES.map((colour) => mix(colour, "#11151b", 0.26)),
    water: "#1a2735",
    ground: "#2a2e34",
    border: "#161b22",
    net: "#2b333d",
    walk: "#2b3a4c",
    text: "#0c1015",
    seam: "#7f8b99",
    mark: "#f7f9fb",
    ink: "#eef2f6",
    halo: "#11151b",
    sky: ["#0b1424", "#15263d", "#2a4059"],
    board: "#1a2028",
    boardLine: "#343d48",
    wall: "#5d6876",
    cursor: "#ffffff",
    wrong: "#ff8a7d",
    done: "#6fd08c",
};

// The palette of Okabe and Ito.
const COLORBLIND = {
    countries: [
        "#56b4e9",
        "#e69f00",
        "#f0e442",
        "#cc79a7",
        "#9ad0f5",
        "#009e73",
        "#ffd28a",
        "#d8d8d8",
        "#d55e00",
    ],
    tracks: ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442"],
    space: { ...SPACE, lane: "#56b4e9", spine: "#ffffff", gold: "#e69f00" },
    land: { ...LAND, flags: { start: "#0072b2", end: "#d55e00" } },
};

const grey = (v) => `#${v.repeat(3)}`;
const greys = (values) => values.split(" ").map(grey);

// On paper all is black on white and light greys, by night as well.
const PRINT = {
    ...LIGHT,
    paper: true,
    back: grey("ff"),
    countries: greys("ff e2 c8 f1 d5 ba ea cf dc"),
    water: grey("ff"),
    ground: grey("f4"),
    border: grey("22"),
    net: grey("aa"),
    walk: grey("77"),
    text: grey("11"),
    mark: grey("11"),
    lit: grey("55"),
    sky: greys("ff ff ff"),
    board: grey("ff"),
    boardLine: grey("b0"),
    wall: grey("33"),
    tracks: Array.from({ length: 62 }, (_, i) => greys("d2 a6 e6 bc")[i % 4]),
    space: {
        top: grey("ff"),
        bottom: grey("ff"),
        dust: grey("ff"),
        lane: grey("a0"),
        spine: grey("55"),
        spare: grey("dd"),
        gold: grey("11"),
        lit: grey("11"),
        stars: greys("11 11 11 11 11"),
    },
    land: {
        layers: [
            "b4 81 5a bb",
            "be 88 5f c5",
            "c9 90 64 d0",
            "d4 98 6a db",
            "de 9f 6f e5",
            "e9 a7 74 f0",
            "f4 af 7a fb",
            "ff b7 7f ff",
        ].map(greys),
        earth: ["98 6a", "88 5f", "78 54", "68 48"].map(greys),
        deck: greys("e6 8a 60"),
        litDeck: greys("22 11 05"),
        rope: grey("60"),
        tree: greys("6a 45 80 55"),
        trunk: grey("30"),
        flags: { start: grey("55"), end: grey("22") },
    },
};

/* palette: as the look of a drawing has it. It goes before light and dark. */
export function theme(dark, palette) {
    if (palette === "print") return PRINT;
    return { ...(dark ? DARK : LIGHT), ...(palette === "colorblind" && COLORBLIND) };
}

// Kinds of stars, the hottest first, and how large they are.
const KINDS = "0011122223333444"; // by chance
const SIZES = [1.3, 1.15, 1.04, 0.96, 0.9];

/* Of which kind a star is, and how large. */
export function starKind(i) {
    const kind = Number(KINDS[Math.floor(noise(i) * KINDS.length)]);
    return { kind, size: SIZES[kind] };
}

/* A label's colour on each of the layers of land, as in src/enc/ink_scheme.c: in shadow, with more
   light over it the higher. */
export function relief(colour) {
    let seen = mix(colour, "#000000", 0.12);
    return LIGHTS.map((light) => (seen = mix(seen, "#ffffff", light)));
}
const LIGHTS = [0, 0.09, 0.08, 0.07, 0.06, 0.06, 0.05, 0.05];

/* The colour of a puzzle's n-th track; beyond the list by the golden angle around the wheel. */
export function track(n, { tracks, dark }) {
    if (tracks[n]) return tracks[n];
    const hue = (n * 137.508) % 360,
        ink = TRACKS[n] ?? fromHsl(hue, 0.55, 0.38 + (n % 3) * 0.12);
    return dark ? mix(ink, "#ffffff", 0.16) : ink;
}

function fromHsl(hue, saturation, light) {
    const a = saturation * Math.min(light, 1 - light);
    const part = (n) => {
        const k = (n + hue / 30) % 12;
        return Math.round(255 * (light - a * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
    };
    return `#${[0, 8, 4].map((n) => part(n).toString(16).padStart(2, "0")).join("")}`;
}

/* Black or white, whichever is read better on it: as in src/enc/ink_scheme.c. */
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
