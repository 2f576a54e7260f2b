// icons.js: the pictures on the buttons, as strokes in a square of 24.
const STROKES = {
    plus: "M12 5v14M5 12h14",
    minus: "M5 12h14",
    whole: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
    left: "M4.5 9.5A8 8 0 1 1 4 13M4 4v5.5h5.5",
    right: "M19.5 9.5A8 8 0 1 0 20 13M20 4v5.5h-5.5",
    dice: "M8 4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4zM9 9h.01M15 9h.01M12 12h.01M9 15h.01M15 15h.01",
    cube: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
};

export function icon(name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", STROKES[name]);
    svg.append(path);
    return svg;
}
