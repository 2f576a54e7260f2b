/*
 * seen.js: recent and kept maps. Recent ones are stored for the tab (sessionStorage), kept ones for
 * the browser (localStorage). A map is { link, title, seed, picture }.
 */
import { linkButton, make } from "./make.js";

const SEEN = 12,
    KEPT = 60,
    QUIET = 700; /* ms after which a map counts as seen: not each step of a slider */

const at = (id) => document.getElementById(id);

function recall(store, name) {
    try {
        return JSON.parse(store.getItem(name)) ?? [];
    } catch {
        return [];
    }
}

function remember(store, name, maps) {
    try {
        store.setItem(name, JSON.stringify(maps));
    } catch {
        /* no storage: for as long as the page is open */
    }
}

const without = (maps, { link }) => maps.filter((one) => one.link !== link);

/* follow(link) goes to a map. Returns { see(map), hide() } for the map that is shown. */
export function makeSeen(follow) {
    let seen = recall(sessionStorage, "seen"),
        kept = recall(localStorage, "kept"),
        now = null,
        settling;

    const isKept = () => kept.some(({ link }) => link === now?.link);

    function take(event, link) {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        follow(link);
    }
    const chip = ({ link, title, seed }) =>
        linkButton(title === now.title ? seed : `${title} ${seed}`, link, {
            title: `${title}, seed ${seed}`,
            onclick: (event) => take(event, link),
        });

    function show() {
        at("keep").setAttribute("aria-pressed", String(isKept()));
        at("kept-maps").replaceChildren(...kept.map(chip));
        at("seen-maps").replaceChildren(...without(seen, now).map(chip));
        at("kept-maps").parentElement.hidden = !kept.length;
        at("seen-maps").parentElement.hidden = seen.length < 2;
        at("compare").disabled = seen.length < 2 && !without(kept, now).length;
    }
    function see(map) {
        now = map;
        show();
        clearTimeout(settling);
        settling = setTimeout(() => {
            seen = [map, ...without(seen, map)].slice(0, SEEN);
            remember(sessionStorage, "seen", seen);
            show();
        }, QUIET);
    }
    function turnKept() {
        kept = isKept() ? without(kept, now) : [now, ...kept].slice(0, KEPT);
        remember(localStorage, "kept", kept);
        show();
    }

    /* ---- two side by side ---- */

    function put(side, map) {
        at(`compare-${side}`).replaceChildren(
            make("img", { src: map.picture, alt: `${map.title}, seed ${map.seed}` }),
            make("figcaption", {}, chip(map)),
        );
    }
    function compare() {
        const others = [...without(seen, now), ...without(kept, now)];
        const options = others.map(({ title, seed }, i) =>
            make("option", { value: String(i) }, `${title}, seed ${seed}`),
        );
        at("compare-with").replaceChildren(...options);
        at("compare-with").onchange = () => put("other", others[at("compare-with").value]);
        put("this", now);
        put("other", others[0]);
        at("comparison").showModal();
    }
    at("keep").addEventListener("click", () => now && turnKept());
    at("compare").addEventListener("click", compare);
    at("comparison-close").addEventListener("click", () => at("comparison").close());
    at("comparison").addEventListener("click", ({ target }) => {
        if (target.closest("a")) at("comparison").close();
    });
    return { see };
}
