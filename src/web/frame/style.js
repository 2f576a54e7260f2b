// style.js: how the frame around the canvas looks. A sheet of its own, so that a view needs nothing
// but its host.
const SHEET = `
.mw-view { position: absolute; inset: 0; overflow: hidden; font: 14px/1.4 system-ui, sans-serif;
    --mw-panel: #fffffff2; --mw-ink: #1b222b; --mw-edge: #1b222b26; --mw-hover: #e7edf3;
    --mw-accent: #1f5fa8; --mw-good: #17692a; }
.mw-view[data-theme=dark] { --mw-panel: #1b222bf2; --mw-ink: #eef2f6; --mw-edge: #ffffff26;
    --mw-hover: #313b47;
    --mw-accent: #8cc4ff; --mw-good: #7fdc9b; }
.mw-canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block;
    touch-action: none;
    user-select: none; -webkit-user-select: none; -webkit-tap-highlight-color: transparent;
    cursor: grab; outline: none; }
.mw-canvas:active { cursor: grabbing; }
.mw-canvas[role=application]:not([aria-roledescription]) { cursor: default; }
.mw-canvas:focus-visible { outline: 3px solid var(--mw-accent); outline-offset: -3px; }
.mw-tools { position: absolute; right: 12px; bottom: 12px; display: flex; flex-wrap: wrap; gap: 8px;
    justify-content: end; align-items: end; max-width: calc(100% - 24px); pointer-events: none; }
.mw-group { display: flex; flex-wrap: wrap; justify-content: end; background: var(--mw-panel); border: 1px solid var(--mw-edge);
    border-radius: 10px;
    overflow: hidden; pointer-events: auto; box-shadow: 0 1px 4px #0000001f; }
.mw-button { appearance: none; border: 0; margin: 0; background: none; color: var(--mw-ink);
    font: inherit; font-weight: 550;
    min-width: 38px; height: 38px; padding: 0 8px; display: grid; place-items: center;
    cursor: pointer; }
.mw-button:hover { background: var(--mw-hover); }
.mw-button:focus-visible { outline: 3px solid var(--mw-accent); outline-offset: -3px;
    border-radius: 9px; }
.mw-button[aria-pressed=true] { color: var(--mw-accent); }
.mw-button[aria-disabled=true] { opacity: 0.45; cursor: default; }
.mw-button svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round; }
.mw-status { position: absolute; left: 12px; top: 12px; max-width: calc(100% - 48px); margin: 0;
    padding: 5px 12px;
    background: var(--mw-panel); color: var(--mw-ink); border: 1px solid var(--mw-edge);
    border-radius: 16px;
    pointer-events: none; font-variant-numeric: tabular-nums; }
.mw-status:empty { visibility: hidden; }
.mw-status[data-kind=good] { color: var(--mw-good); font-weight: 600; }
.mw-spoken { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
    clip-path: inset(50%); }
.mw-tip { position: absolute; max-width: min(280px, 80%); padding: 4px 9px;
    background: var(--mw-panel); color: var(--mw-ink);
    border: 1px solid var(--mw-edge); border-radius: 8px; pointer-events: none;
    font-variant-numeric: tabular-nums;
    box-shadow: 0 2px 8px #0000002e; white-space: pre-line; }
.mw-tip[hidden] { display: none; }
@media (max-width: 480px) { .mw-tools { gap: 6px; right: 8px; max-width: calc(100% - 16px); }
    .mw-button { min-width: 33px; padding: 0 5px; } }
@media (forced-colors: active) { .mw-group, .mw-status, .mw-tip { border-color: CanvasText; } }
`;

const dressed = new WeakSet();

export function dress(document) {
    if (dressed.has(document)) return;
    dressed.add(document);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(SHEET);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
