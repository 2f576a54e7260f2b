/*
 * kinds.js: names of the generators for people, the parameters that are always shown (`few`), and
 * presets: queries that make attractive maps.
 */
const continent = (query) =>
    `mask=${encodeURIComponent(`/areas?width=72&height=50&grid=hex&${query}`)}`;
const wide = "width=72&height=50";

export const KINDS = {
    regions: {
        title: "Countries",
        few: "width height count variation roughness names",
        presets: {
            "Continent of twelve": `${continent("area=1450")}&count=12&variation=0.6&roughness=0.75&names=latin`,
            "Old world": `${continent("area=1600")}&count=30&variation=1&roughness=0.9&names=slavic`,
            "Two shores": `${continent("area=700&count=2")}&count=10&variation=0.4&roughness=0.6&names=nordic`,
            "Six equal powers": "count=6&roughness=0.75&names=persian",
            "Square board": "grid=square&count=9&roughness=0",
        },
    },
    areas: {
        title: "Land",
        few: "width height count area algorithm names",
        presets: {
            "One continent": `${wide}&area=1150&names=latin`,
            "Five islands": `${wide}&area=260&count=5&names=nordic`,
            Atolls: `${wide}&area=36&count=22&names=polynesian`,
            "Winding way": "width=36&height=26&area=420&algorithm=dfs-backtrack",
            Coral: `${wide}&area=900&algorithm=mixed&ratio=0.4`,
        },
    },
    islands: {
        title: "Sky islands",
        few: "width height islands size layers names",
        presets: {
            "A dozen to hop": "names=polynesian",
            "High peaks": "width=40&height=40&layers=6&islands=4,6&size=90,140&names=nordic",
            Crumbs: "width=30&height=30&islands=24,30&size=6,9&layers=2",
            "Three realms": "width=44&height=44&layers=4&islands=3,3&size=220,260&names=japanese",
        },
    },
    starlanes: {
        title: "Star lanes",
        few: "stars shape homeworlds density names",
        presets: {
            "Spiral for eight": "stars=240&shape=spiral&homeworlds=8&names=latin",
            "Ring for six": "stars=160&shape=ring&homeworlds=6&names=persian",
            Clusters: "stars=200&shape=clusters&density=0.3&names=nordic",
            Duel: "stars=40&homeworlds=2&density=0.7&names=japanese",
            "Dense web": "stars=300&shape=disc&density=1",
        },
    },
    "puzzle/generate": {
        title: "Puzzles",
        few: "width height colors difficulty rule",
        presets: {
            "A first one": "width=6&height=6&difficulty=easy",
            "Usual 8×8": "width=8&height=8&difficulty=normal",
            "Hard 10×10": "width=10&height=10&difficulty=hard",
            "Long evening": "width=15&height=15",
            "Fill the board": "width=8&height=8&rule=flow",
        },
    },
    "puzzle/solve": { title: "Solver" },
};

/* The parameters that are always shown; all of them for a generator that is not listed. */
export function isMain({ name }, field) {
    const few = KINDS[name]?.few?.split(" ");
    return !few || few.includes(field.name);
}

/* The name of a generator for people; its own name if it is not listed. */
export const titleOf = ({ name }) => KINDS[name]?.title ?? name;

/* [{ name, given: pairs of name and text }] */
export const presetsOf = ({ name }) =>
    Object.entries(KINDS[name]?.presets ?? {}).map(([title, query]) => ({
        name: title,
        given: [...new URLSearchParams(query)],
    }));
