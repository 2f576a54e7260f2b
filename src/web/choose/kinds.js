/*
 * kinds.js: what people call the generators, and maps to begin with: for each kind some requests
 * that make lovely maps, the first of them what the page shows when nothing was asked for.
 * `few`: the parameters that are in sight at once.
 */

const continent = (area, grid = "hex") => `/areas?width=72&height=50&grid=${grid}&area=${area}`;

/* Pairs of name and text, as a query has them. */
const asked = (given) => Object.entries(given).map(([name, value]) => [name, String(value)]);
const preset = (name, given) => ({ name, given: asked(given) });

export const KINDS = {
    regions: {
        title: "Countries",
        few: "width height count variation roughness names",
        presets: [
            preset("Continent of twelve", {
                mask: continent(1450),
                count: 12,
                variation: 0.6,
                roughness: 0.75,
                names: "latin",
            }),
            preset("Old world", {
                mask: continent(1600),
                count: 30,
                variation: 1,
                roughness: 0.9,
                names: "slavic",
            }),
            preset("Two shores", {
                mask: `${continent(700)}&count=2`,
                count: 10,
                variation: 0.4,
                roughness: 0.6,
                names: "nordic",
            }),
            preset("Six equal powers", { count: 6, roughness: 0.75, names: "persian" }),
            preset("Boardgame squares", { grid: "square", count: 9, roughness: 0 }),
        ],
    },
    areas: {
        title: "Land",
        few: "width height count area algorithm names",
        presets: [
            preset("One continent", { width: 72, height: 50, area: 1150, names: "latin" }),
            preset("Five islands", { width: 72, height: 50, area: 260, count: 5, names: "nordic" }),
            preset("Atolls", { width: 72, height: 50, area: 36, count: 22, names: "polynesian" }),
            preset("Winding way", { width: 36, height: 26, area: 420, algorithm: "dfs-backtrack" }),
            preset("Coral", { width: 72, height: 50, area: 900, algorithm: "mixed", ratio: 0.4 }),
        ],
    },
    islands: {
        title: "Sky islands",
        few: "width height islands size layers names",
        presets: [
            preset("A dozen to hop", { names: "polynesian" }),
            preset("High peaks", {
                ...{ width: 40, height: 40, layers: 6, islands: "4,6", size: "90,140" },
                names: "nordic",
            }),
            preset("Crumbs", { width: 30, height: 30, islands: "24,30", size: "6,9", layers: 2 }),
            preset("Three realms", {
                ...{ width: 44, height: 44, layers: 4, islands: "3,3", size: "220,260" },
                names: "japanese",
            }),
        ],
    },
    starlanes: {
        title: "Star lanes",
        few: "stars shape homeworlds density names",
        presets: [
            preset("Spiral for eight", {
                ...{ stars: 240, shape: "spiral", homeworlds: 8, names: "latin" },
            }),
            preset("Ring for six", { stars: 160, shape: "ring", homeworlds: 6, names: "persian" }),
            preset("Clusters", { stars: 200, shape: "clusters", density: 0.3, names: "nordic" }),
            preset("Duel", { stars: 40, homeworlds: 2, density: 0.7, names: "japanese" }),
            preset("Dense web", { stars: 300, shape: "disc", density: 1 }),
        ],
    },
    "puzzle/generate": {
        title: "Puzzles",
        few: "width height colors difficulty rule",
        presets: [
            preset("A first one", { width: 6, height: 6, difficulty: "easy" }),
            preset("Usual 8×8", { width: 8, height: 8, difficulty: "normal" }),
            preset("Hard 10×10", { width: 10, height: 10, difficulty: "hard" }),
            preset("Long evening", { width: 15, height: 15 }),
            preset("Fill the board", { width: 8, height: 8, rule: "flow" }),
        ],
    },
    "puzzle/solve": { title: "Solver", presets: [] },
};

/* The parameters that matter most; where none are named, all of them. */
export function isMain({ name }, field) {
    const few = KINDS[name]?.few?.split(" ");
    return !few || few.includes(field.name);
}

/* What a generator is called; one that is not known here goes by its own name. */
export const titleOf = ({ name }) => KINDS[name]?.title ?? name;
export const presetsOf = ({ name }) => KINDS[name]?.presets ?? [];
