// progress.js: stores the state of boards in the browser (localStorage).
const KEY = "played";
const MOST = 50; // boards

function all() {
    try {
        return JSON.parse(localStorage.getItem(KEY)) ?? [];
    } catch {
        return [];
    }
}

/* The stored state of the board of an address, or undefined. */
export const recall = (address) => all().find(([one]) => one === address)?.[1];

/* Null: deletes the stored state. */
export function keep(address, played) {
    const others = all().filter(([one]) => one !== address);
    const kept = played === null ? others : [[address, played], ...others].slice(0, MOST);
    try {
        localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
        /* no storage: for as long as the page is open */
    }
}
