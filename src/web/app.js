/*
 * app.js: the page. Its state is an address: a generator and its parameters; the form, the
 * request, the picture and the page's own URL all follow from that, and a link opens the same map.
 */
import {
    curlGet,
    curlPost,
    fromLink,
    isLong,
    snippets,
    toAddress,
    toLink,
    toUrl,
} from "./ask/address.js";
import { listFacts, sumUp } from "./choose/facts.js";
import { buildForm, tell } from "./choose/form.js";
import { carryBoard, readGenerators } from "./ask/generators.js";
import { showFairness } from "./choose/fairness.js";
import { makeGallery } from "./choose/gallery.js";
import { isMain, KINDS, presetsOf, titleOf } from "./choose/kinds.js";
import { button, linkButton, make } from "./choose/make.js";
import { findBoard, readPack, SIZES, writePack } from "./choose/pack.js";
import { showPresets } from "./choose/presets.js";
import { makeSeen } from "./choose/seen.js";
import { askOnce, lost, makeAsker } from "./ask/request.js";
import { builders, groundsOf, trail } from "./ask/stand.js";
import { makeIntro } from "./intro.js";
import { paintMask, show } from "./show/view.js";
import { makeWork } from "./work.js";

const PACE = 60; /* ms between requests while a slider moves */
const REST = 350; /* ms after which a change is written into the URL: browsers take only so many */
const QUIET = 700; /* ms after which a map is worth announcing */
const SEEDS = 1_000_000; /* drawn seeds are below: short enough to say aloud */

const at = (id) => document.getElementById(id);

let generators = [],
    form,
    looks,
    view;
let state = {
    generator: null,
    given: [],
}; /* given: pairs of name and text; above: see stand.js, pack: pack.js */
let shown = null; /* { answer, state }: the last good map */
const seen = at("seen"); /* the button that saves the picture as it is on the screen */
let painting = null; /* the mask that is being painted in place of a map */
let maps = null; /* recent and kept maps: see seen.js */
let home = null; /* the world of the start page while that is shown: see intro.js */
let touched = null; /* the control changed last: more changes to it are one step in the history */

const given = (name) => state.given.find(([one]) => one === name)?.[1];
const rolled = () => String(crypto.getRandomValues(new Uint32Array(1))[0] % SEEDS);
const system = matchMedia("(prefers-color-scheme: dark)");
const isDark = () =>
    (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";

/* ---- the state, and the URL that holds it ---------------------------------------------------- */

/* Every map that the page shows has a seed and the required parameters. */
function completed({ generator, given: pairs, ...rest }) {
    const names = new Set(pairs.map(([name]) => name));
    const needed = generator.fields.filter(({ name, first }) => first !== "" && !names.has(name));
    const seed =
        generator.seed && !names.has("seed") ? [["seed", at("seed").value || rolled()]] : [];
    return {
        generator,
        given: [...needed.map(({ name, first }) => [name, first]), ...pairs, ...seed],
        ...rest,
    };
}

/* The page's own URL for a state, which may be a board of a pack. */
const linkTo = (one) => toLink(one.pack ? { ...one, given: writePack(one) } : one);

const linkOf = (generator) => at("generators").querySelector(`[data-path="${generator.path}"]`);

let unwritten, writer; /* an address that is not yet in the URL, and the timer that will write it */

const isHere = (link) => new URL(link, location.href).href === location.href;

function replaceUrl() {
    clearTimeout(writer);
    if (unwritten && !isHere(unwritten)) history.replaceState(null, "", unwritten);
    unwritten = null;
}

/* The link to a generator leads to its last map. */
function writeUrl(push) {
    const link = linkTo(state);
    linkOf(state.generator).setAttribute("href", link);
    if (push) {
        replaceUrl();
        if (!isHere(link)) history.pushState(null, "", link);
        return;
    }
    unwritten = link;
    clearTimeout(writer);
    writer = setTimeout(replaceUrl, REST);
}

/* Control characters, and those that set the direction of text, would change the text around them.
 */
const legible = (text) => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "");

function writeTitle() {
    const seed = given("seed") && legible(given("seed"));
    document.title = `${titleOf(state.generator)}${seed === undefined ? "" : ` ${seed}`} · Mapwright`;
}

/* The values of the form, and parameters of a link that have no control in the form. */
function gather(seed) {
    const own = new Set(["seed", ...state.generator.fields.map(({ name }) => name)]);
    const rest = state.given.filter(([name]) => !own.has(name));
    const pairs = [...form.read(), ...rest];
    return {
        ...state,
        pack: undefined,
        given: state.generator.seed && seed !== "" ? [...pairs, ["seed", seed]] : pairs,
    };
}

/* Takes over a change by the user; `name` is the field. */
function change(name, seed) {
    state = gather(seed);
    if (name !== "seed") at("seed").value = seed;
    writeUrl(name !== touched || name === "dice");
    touched = name;
    writeTitle();
    offer();
    ask(state, PACE);
}

const onInput = (name) => change(name, at("seed").value);

/* The palette of downloads is that of the page's picture, too. */
const seenAs = () => ({
    dark: isDark(),
    palette: looks?.read().find(([name]) => name === "palette")?.[1],
});

function onLook(name) {
    offer();
    if (name === "palette") draw();
}

function enter(generator) {
    state = { generator, given: [] };
    at("stage").dataset.kind = generator.name;
    at("title").replaceChildren(titleOf(generator), " ", make("code", {}, generator.path));
    at("about").textContent = generator.summary;
    at("seeds").hidden = !generator.seed;
    at("paint").hidden = !generator.fields.some(({ paints }) => paints);
    for (const link of at("generators").querySelectorAll("a")) link.removeAttribute("aria-current");
    linkOf(generator).setAttribute("aria-current", "page");
    at("generators").scrollLeft = linkOf(generator).offsetLeft - 80;
    const fields = generator.fields.map((one) => ({
        ...one,
        aside: one.aside || (one.first === "" && !isMain(generator, one)),
    }));
    form = buildForm(at("form"), fields, onInput);
    const look = looks?.read() ?? [];
    looks = buildForm(at("looks"), generator.looks, onLook);
    looks.write(look);
    at("look").hidden = !generator.looks.length;
    writeBuilders();
    showPresets(at("presets"), generator, (preset) => visit(generator, preset));
}

/* The start page: a world, what Mapwright is, and the kinds of maps. */
function goHome() {
    cancel();
    rest();
    clear();
    state = { generator: null, given: [] };
    for (const link of at("generators").querySelectorAll("a")) link.removeAttribute("aria-current");
    document.title = "Mapwright: maps for games";
    showHome(true);
    home.play(rolled());
}

function showHome(is) {
    at("home").hidden = !is;
    document.body.classList.toggle("at-home", is);
    if (!is) home.stop();
}

/* Shows each step of the start page's world. */
function tellHome(itsView, world) {
    view = itsView;
    describe();
    at("open-world").href = toLink(world);
    at("home-curl").textContent = curlGet({ ...world, given: [["seed", "7"]] });
}

let journeys = 0; /* a visit ends if another began while its pack was sorted */

/* Shows what the URL says: at the start, after back or forward, after a link. */
async function go() {
    const mine = ++journeys;
    if (!location.search && !location.hash) return goHome();
    showHome(false);
    const { unknown, ...link } = fromLink(location, generators);
    const fresh = !link.given.length && !link.above?.length && presetsOf(link.generator)[0];
    const wanted = completed({ ...link, ...readPack(fresh ? fresh.given : link.given) });
    if (wanted.generator !== state.generator) enter(wanted.generator);
    if (wanted.pack) at("caption").textContent = `Sorting ${wanted.pack.size} boards by effort …`;
    const found = wanted.pack ? await findBoard(wanted) : wanted;
    if (mine === journeys) arrive(found, unknown);
}

function arrive(wanted, unknown) {
    state = { ...wanted, unknown };
    form.write(state.given);
    if (state.generator.seed) at("seed").value = given("seed");
    touched = null;
    tellProblem({ errors: [] });
    writeUrl(false);
    replaceUrl();
    writeTitle();
    offer();
    ask(state, 0);
}

/* Goes there by a new step in the history. */
function follow(link) {
    replaceUrl();
    history.pushState(null, "", link);
    go();
}

const visit = (generator, pairs, rest) =>
    follow(linkTo(completed({ generator, given: pairs, ...rest })));

/* ---- answers --------------------------------------------------------------------------------- */

let announcement;

/* The picture in words: shown at once, announced when it no longer changes. */
function describe() {
    const { size, board } = (state.generator && shown?.state.pack) ?? {};
    const words = `${size ? `Board ${board} of ${size}. ` : ""}${view.describe()}`;
    at("caption").textContent = words;
    clearTimeout(announcement);
    announcement = setTimeout(() => {
        at("said").textContent = words;
    }, QUIET);
}

/* Shows nothing rather than another generator's map. */
function clear() {
    view?.destroy();
    view = shown = painting = null;
    at("paint").disabled = true;
    for (const id of ["caption", "cost", "facts", "carry", "fairness"]) at(id).replaceChildren();
    at("show-json").removeAttribute("href");
    seen.disabled = true;
}

/* The same board of another number, of the same pack. */
const turnTo = (pack, board) => visit(state.generator, state.given, { pack: { ...pack, board } });

/* Goes to another map: the next board of a pack, or a new seed. */
function nextOf({ generator, pack }) {
    if (!generator.seed) return null;
    if (!pack) return () => change("dice", rolled());
    return pack.board < pack.size ? () => turnTo(pack, pack.board + 1) : null;
}

/* What a view may call in the page. */
function hooksOf({ answer, state: one }) {
    const next = nextOf(one);
    const solver = carryBoard(generators, answer);
    if (!solver?.generator.fields.some(({ name }) => name === "hint")) return { next };
    const asked = { ...solver, given: [...solver.given, ["hint", "true"]] };
    return { next, hint: () => askHint(asked), copy: (text) => copy(text).catch(() => {}) };
}

/* { cells, reason }, or null if there is no hint. */
const askHint = async (asked) => [(await askOnce(asked)).result?.hint].flat()[0] ?? null;

/* Lets the user paint the mask in place of the map, which comes back afterwards. */
function paint() {
    const { name } = state.generator.fields.find(({ paints }) => paints);
    const { width, height, grid, wrap, mask } = shown.answer.parameters;
    const rows = Array.isArray(mask) ? mask : null; // not another map's
    cancel();
    rest();
    painting ??= { name, width, height, grid, wrap, rows };
    const hooks = {
        painted(painted) {
            painting.rows = painted;
            form.set(name, painted?.join("/") ?? "");
            describe();
        },
        done() {
            painting = null;
            onInput(name);
            draw();
            at("paint").focus({ preventScroll: true }); // the button of the stage is gone
        },
    };
    view = paintMask(at("host"), painting, { ...seenAs(), hooks });
    describe();
}

function draw() {
    if (!state.generator) return home.draw();
    if (painting) return paint();
    if (!shown) return;
    try {
        view = show(at("host"), shown.answer, { ...seenAs(), hooks: hooksOf(shown) });
        describe();
    } catch (error) {
        console.error(error);
        view?.destroy();
        view = null;
        at("caption").textContent = `This cannot be drawn here (${error.message}): download it.`;
    }
}

/* The trail: links to each map of the tree, within the whole. */
function writeTrail() {
    const steps = trail(state, generators, toAddress),
        here = linkTo(state);
    at("trail").hidden = !steps.length;
    const stepTo = (step) => {
        const href = linkTo(step);
        const current = href === here ? { "aria-current": "step" } : {};
        return make("a", { href, ...current }, titleOf(step.generator));
    };
    at("trail").replaceChildren(...steps.map(stepTo));
}

/* Buttons for maps that can be built on this one. */
function writeBuilders() {
    at("build").replaceChildren(
        ...builders(generators, state.generator).map(({ generator, field }) =>
            button(`${titleOf(generator)}: ${field.label.toLowerCase()}`, () =>
                visit(generator, [[field.name, toAddress(state)]]),
            ),
        ),
    );
    at("of-build").parentElement.hidden = !at("build").childElementCount;
}

/* The same board for the solver. */
function writeCarrier(answer) {
    const to = carryBoard(generators, answer);
    const take = () => visit(to.generator, to.given);
    const label = to && `Take it to the ${titleOf(to.generator).toLowerCase()}`;
    at("carry").replaceChildren(...(to ? [button(label, take)] : []));
}

/* The sizes of packs to choose from, or links through the open pack. */
function writePacks(href) {
    const { generator, given: pairs, pack } = state;
    const isPuzzle = generator.fields.some(({ name }) => name === "difficulty");
    at("of-pack").parentElement.hidden = !isPuzzle;
    if (!isPuzzle) return;
    const open = (size) =>
        visit(generator, pairs, { pack: { first: given("seed"), size, board: 1 } });
    const step = (label, board) =>
        button(label, () => turnTo(pack, board), { disabled: board < 1 || board > pack.size });
    const parts = pack
        ? [
              make("span", { id: "pack-board" }, `Board ${pack.board} of ${pack.size}`),
              step("Previous", pack.board - 1),
              step("Next", pack.board + 1),
              linkButton(`PDF of ${pack.size}`, href("pdf"), { download: "" }),
              button("Leave", () => visit(generator, pairs)),
          ]
        : SIZES.map((size) => button(`${size} boards`, () => open(size)));
    at("pack").replaceChildren(...parts);
}

/* A button that leads to the first wrong field, which may be far down the form. */
const lead = ({ text, target }) =>
    button(text, () => {
        for (let fold = target; (fold = fold.closest("details:not([open])")); ) fold.open = true;
        target.scrollIntoView({ block: "center" });
        target.focus({ preventScroll: true });
    });

const TRIED = "It is tried again.";
const againIn = (seconds) => `It is asked again in ${seconds} s, and so on until it answers.`;

/* Shows a message once, however often it is repeated. */
function alertTo(title, lines) {
    const heading = title ? [make("strong", {}, title)] : [];
    const all = [...heading, ...lines.map((line) => make("p", {}, line))];
    const told = all.map((one) => one.textContent).join("");
    if (at("alert").textContent !== told) at("alert").replaceChildren(...all);
}

function tellProblem({ title, detail, errors = [] }, again) {
    const seed = errors.filter(({ pointer }) => pointer === "/seed");
    const seedText = seed.map((one) => one.detail).join("; ");
    tell(at("seed"), at("seed-problem"), seedText);
    const { wrong, rest } = form.tell(errors);
    if (seed.length) wrong.unshift({ text: `Seed: ${seedText}`, target: at("seed") });
    const others = rest.filter((one) => !seed.includes(one));
    const lines = others.map((one) =>
        one.pointer ? `${one.pointer.slice(1)} ${one.detail}` : one.detail,
    );
    const said = lines.length ? lines : errors.length || !detail ? [] : [detail];
    if (again) said.push(againIn(again));
    alertTo(said.length && title, said);
    at("stage").classList.toggle("stale", Boolean(title));
    if (!title) return;
    if (shown && shown.state.generator !== state.generator) clear();
    clearTimeout(announcement);
    if (said.length) wrong.push({ text: title, target: at("alert") });
    const first = { text: title, ...wrong[0] },
        text =
            wrong.length > 1 ? `${first.text} (and ${wrong.length - 1} more).` : `${first.text}.`;
    const before = `${again ? ` ${TRIED}` : ""}${shown ? " This is the map from before." : ""}`;
    if (again && at("caption").textContent === text + before) return; // one may be on the button
    at("caption").replaceChildren(wrong.length ? lead({ ...first, text }) : text, before);
}

function noteSeen({ state: asked }) {
    if (isLong(asked)) return;
    maps.see({
        link: linkTo(asked),
        title: titleOf(asked.generator),
        seed: asked.given.find(([name]) => name === "seed")?.[1] ?? "",
        picture: toUrl(asked, "png"),
    });
}

function rest() {
    at("host").removeAttribute("aria-busy");
    work.end();
}

const askAgain = () => button("Ask again", askNow, { className: "again" });

const work = makeWork({
    cancel() {
        cancel();
        rest();
        tellProblem({ title: "Cancelled" });
        at("caption").append(" ", askAgain());
    },
    say(text) {
        clearTimeout(announcement);
        at("said").textContent = text;
    },
});

const { ask, cancel } = makeAsker({
    begin(asked) {
        at("host").setAttribute("aria-busy", "true");
        work.begin(asked);
    },
    progress: work.tell,
    grounds: (asked, answer) => groundsOf(asked, answer, generators),
    answer(answer, facts, asked) {
        rest();
        shown = { answer, state: asked };
        painting = null;
        at("paint").disabled = false;
        tellProblem({ errors: [] });
        if (asked.unknown)
            alertTo(`There is no generator ${legible(asked.unknown)}`, [
                `There are ${generators.map(({ name }) => name).join(", ")}.`,
            ]);
        if (asked === state) form.note(answer.parameters);
        at("seed").placeholder = answer.seed ?? "";
        draw();
        at("facts").replaceChildren(...listFacts(answer, facts));
        at("cost").textContent = sumUp(facts);
        writeCarrier(answer);
        showFairness(at("fairness"), answer.result.fairness);
        offer();
        at("show-json").href = isLong(asked) ? `maps/${answer.id}` : toUrl(asked);
        seen.disabled = !view;
        noteSeen(shown);
    },
    problem(problem, again) {
        rest();
        tellProblem(problem, again);
    },
});

/* The values of the form, including a mask that is being painted. */
function askNow() {
    if (painting) onInput(painting.name);
    ask(state, 0);
}

/* ---- taking it away -------------------------------------------------------------------------- */

/* How downloads are drawn: as chosen; the theme by default as the page's. */
function drawnAs({ looks: fields }) {
    const asked = looks.read(),
        theme = fields.find(({ name }) => name === "theme"),
        own = isDark() ? "dark" : "light";
    const open = theme?.schema.enum?.includes(own) && !asked.some(([name]) => name === "theme");
    return open && own !== theme.fallback ? [...asked, ["theme", own]] : asked;
}

/* The picture as it is on the screen: view, zoom and theme. */
async function saveSeen() {
    const blob = await view.picture();
    const seed = given("seed")?.replace(/[^\w-]+/g, "-") ?? "map";
    const href = URL.createObjectURL(blob);
    make("a", {
        href,
        download: `${state.generator.name.replace("/", "-")}-${seed}-seen.png`,
    }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/* Downloads and copies are of the map of the form, by its id if the address is too long. */
function offer() {
    if (!state.generator) return;
    const { generator, pack } = state,
        long = isLong(state),
        right = looks.check();
    const drawn = [...state.given, ...drawnAs(generator)];
    const kept = (format) => shown && `maps/${shown.answer.id}.${format}`;
    const href = (format, pairs = drawn) =>
        long ? kept(format) : right ? toUrl({ generator, given: pairs }, format) : null;
    const grid = shown?.answer.parameters.grid ?? "square";
    const tiles = generator.formats.includes("tmj") ? [["tmj tiles", `mapwright-${grid}.png`]] : [];
    const files = [...generator.formats.map((format) => [format, href(format)]), ...tiles];
    at("downloads").replaceChildren(
        ...files.map(([name, file]) => linkButton(name, file, { download: "" })),
        seen,
    );
    const others = drawn.filter(([name]) => !["seed", "maps"].includes(name));
    const sheets = pack && [...others, ["seed", pack.first], ["maps", String(pack.size)]];
    writePacks((format) => href(format, sheets));
    writeTrail();
    const plain = (field) => generator.fields.find((one) => one.name === field)?.first;
    at("defaults").disabled = state.given.every(
        ([field, text]) => field === "seed" || text === plain(field),
    );
    at("copy-get").disabled = long;
    at("many").disabled = long || !right;
}

/* navigator.clipboard exists on secure pages only; others use execCommand. */
async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const box = make("textarea", { value: text, className: "unseen" });
    document.body.append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
}

function copies(id, text) {
    const own = at(id),
        label = own.textContent;
    own.addEventListener("click", async () => {
        const done = await copy(text()).then(
            () => true,
            () => false,
        );
        own.textContent = done ? "Copied" : "Not allowed";
        at("said").textContent = done ? "Copied" : "The browser does not allow copying";
        setTimeout(() => {
            own.textContent = label;
        }, 1200);
        own.focus();
    });
}

/* ---- the beginning --------------------------------------------------------------------------- */

function showTheme() {
    at("theme").setAttribute("aria-pressed", String(isDark()));
}

function turnTheme() {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    try {
        localStorage.setItem("theme", theme);
    } catch {
        /* no storage: for as long as the page is open */
    }
    showTheme();
    offer();
    draw();
}

function listen() {
    at("dice").addEventListener("click", () => change("dice", rolled()));
    at("seed").addEventListener("input", () => change("seed", at("seed").value.trim()));
    at("theme").addEventListener("click", turnTheme);
    at("paint").addEventListener("click", paint);
    seen.addEventListener("click", saveSeen);
    const gallery = makeGallery({ choose: (seed) => change("dice", seed), roll: rolled });
    at("many").addEventListener("click", () =>
        gallery(state.generator, [
            ...state.given.filter(([name]) => name !== "seed"),
            ...drawnAs(state.generator),
        ]),
    );
    at("defaults").addEventListener("click", () =>
        visit(
            state.generator,
            state.given.filter(([name]) => name === "seed"),
            { above: state.above },
        ),
    );
    for (const id of ["form", "looks"])
        at(id).addEventListener("submit", (event) => event.preventDefault());
    at("panel").addEventListener("keydown", (event) => {
        const { key, isComposing, target } = event;
        if (key !== "Enter" || isComposing || !target.matches("#seed, #form input")) return;
        event.preventDefault();
        askNow();
    });
    at("skip").addEventListener("click", (event) => {
        event.preventDefault();
        at("panel").focus();
    });
    for (const id of ["copy-link", "copy-here"])
        copies(id, () => new URL(linkTo(state), location.href).href);
    copies("copy-get", () => curlGet(state));
    copies("copy-post", () => curlPost(state));
    for (const [language, lines] of Object.entries(snippets))
        copies(`copy-${language}`, () => lines(state));
    at("back").addEventListener("click", () => history.back());
    at("forth").addEventListener("click", () => history.forward());
    at("roll-world").addEventListener("click", () => home.play(rolled()));
    for (const id of ["generators", "kinds", "trail", "home"])
        at(id).addEventListener("click", (event) => {
            const link = event.target.closest("a");
            if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            follow(link.href);
        });
    addEventListener("pagehide", replaceUrl);
    addEventListener("popstate", go);
    system.addEventListener("change", () => {
        showTheme();
        offer();
        draw();
    });
}

/* Loads the OpenAPI document, again and again until the service answers. */
async function load() {
    try {
        return readGenerators(await fetch("openapi.json").then((response) => response.json()));
    } catch {
        const { title, detail } = lost.value;
        alertTo(title, [detail, againIn(lost.again)]);
        at("caption").textContent = `${title}. ${TRIED}`;
        await new Promise((done) => setTimeout(done, lost.again * 1000));
        return load();
    }
}

async function start() {
    showTheme();
    const order = Object.keys(KINDS);
    generators = (await load()).sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
    at("generators").replaceChildren(
        ...generators.map((generator) =>
            make(
                "a",
                {
                    href: toLink({ generator, given: [] }),
                    "data-path": generator.path,
                    title: generator.summary,
                },
                titleOf(generator),
            ),
        ),
    );
    maps = makeSeen(follow);
    home = makeIntro(at("host"), generators, { look: seenAs, tell: tellHome });
    at("kinds").replaceChildren(
        ...[...at("generators").children].map((link) => link.cloneNode(true)),
    );
    listen();
    go();
}

start();
