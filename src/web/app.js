/*
 * app.js: the page. Its state is an address: a generator and what was given to it; the form, the
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
import { carriers, readGenerators } from "./ask/generators.js";
import { showFairness } from "./choose/fairness.js";
import { makeGallery } from "./choose/gallery.js";
import { isMain, KINDS, presetsOf, titleOf } from "./choose/kinds.js";
import { make } from "./choose/make.js";
import { showPresets } from "./choose/presets.js";
import { makeSeen } from "./choose/seen.js";
import { askOnce, lost, makeAsker } from "./ask/request.js";
import { builders, groundsOf, trail } from "./ask/stand.js";
import { makeIntro } from "./intro.js";
import { paintMask, show } from "./show/view.js";
import { makeWork } from "./work.js";

const PACE = 60; /* ms from request to request while something slides */
const REST = 350; /* ms after which a change is written into the URL: browsers take only so many */
const QUIET = 700; /* ms after which a map is worth announcing */
const SEEDS = 1_000_000; /* short ones, that can be told to others */

const at = (id) => document.getElementById(id);

let generators = [],
    form,
    looks,
    view;
let state = { generator: null, given: [] }; /* given: pairs of name and text; above: see stand.js */
let shown = null; /* { answer, facts, state }: the last good map */
const seen = at("seen"); /* the button that saves the picture as it is seen */
let painting = null; /* the mask that is on the stage instead of a map */
let maps = null; /* those that were seen and kept: see seen.js */
let home = null; /* the world that is seen first, while it is: see intro.js */
let touched = null; /* what was changed last: changing it on is one step back */

const given = (name) => state.given.find(([one]) => one === name)?.[1];
const rolled = () => String(crypto.getRandomValues(new Uint32Array(1))[0] % SEEDS);
const system = matchMedia("(prefers-color-scheme: dark)");
const isDark = () =>
    (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
const isKept = () => at("lock").getAttribute("aria-pressed") === "true";

/* ---- the state, and the URL that holds it ---------------------------------------------------- */

/* Every map that the page shows has a seed, and what its generator cannot do without. */
function completed({ generator, given: pairs, above }) {
    const names = new Set(pairs.map(([name]) => name));
    const needed = generator.fields.filter(({ name, first }) => first !== "" && !names.has(name));
    const seed =
        generator.seed && !names.has("seed")
            ? [["seed", (isKept() && at("seed").value) || rolled()]]
            : [];
    return {
        generator,
        given: [...needed.map(({ name, first }) => [name, first]), ...pairs, ...seed],
        above,
    };
}

const linkOf = (generator) => at("generators").querySelector(`[data-path="${generator.path}"]`);

let unwritten, writer; /* an address that is not yet in the URL, and who will write it */

const isHere = (link) => new URL(link, location.href).href === location.href;

function replaceUrl() {
    clearTimeout(writer);
    if (unwritten && !isHere(unwritten)) history.replaceState(null, "", unwritten);
    unwritten = null;
}

/* The way back to a generator leads to where one was. */
function writeUrl(push) {
    const link = toLink(state);
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

/* Control characters, and those that set the direction of text, would change the text around them. */
const legible = (text) => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "");

function writeTitle() {
    const seed = given("seed") && legible(given("seed"));
    document.title = `${titleOf(state.generator)}${seed === undefined ? "" : ` ${seed}`} · Mapwright`;
}

/* What the form says, and what came with a link and has no place in the form. */
function gather(seed) {
    const own = new Set(["seed", ...state.generator.fields.map(({ name }) => name)]);
    const rest = state.given.filter(([name]) => !own.has(name));
    const pairs = [...form.read(), ...rest];
    return {
        ...state,
        given: state.generator.seed && seed !== "" ? [...pairs, ["seed", seed]] : pairs,
    };
}

/* Takes what the user has changed; `name` is what. */
function change(name, seed) {
    state = gather(seed);
    if (name !== "seed") at("seed").value = seed;
    writeUrl(name !== touched || name === "dice");
    touched = name;
    writeTitle();
    offer();
    ask(state, PACE);
}

const onInput = (name) => change(name, isKept() ? at("seed").value : rolled());

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

/* What is seen first: a world, what this is, and the kinds of maps there are. */
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

/* Each step of the world on the stage. */
function tellHome(itsView, world) {
    view = itsView;
    describe();
    at("open-world").href = toLink(world);
    at("home-curl").textContent = curlGet({ ...world, given: [["seed", "7"]] });
}

/* Goes to what the URL says: at the start, back and forth, along a link. */
function go() {
    if (!location.search && !location.hash) return goHome();
    showHome(false);
    const link = fromLink(location, generators);
    const fresh = !link.given.length && !link.above?.length && presetsOf(link.generator)[0];
    const wanted = completed(fresh ? { ...link, given: fresh.given } : link);
    if (wanted.generator !== state.generator) enter(wanted.generator);
    state = wanted;
    form.write(state.given);
    if (state.generator.seed) at("seed").value = given("seed");
    touched = null;
    tellProblem({ errors: [] });
    writeUrl(false);
    replaceUrl();
    writeTitle();
    offer();
    ask(state, 0);
    if (link.unknown)
        alertTo(`There is no generator ${legible(link.unknown)}`, [
            `There are ${generators.map(({ name }) => name).join(", ")}.`,
        ]);
}

/* Goes there by a step of its own in the history. */
function follow(link) {
    replaceUrl();
    history.pushState(null, "", link);
    go();
}

const visit = (generator, pairs, above) =>
    follow(toLink(completed({ generator, given: pairs, above })));

/* ---- answers --------------------------------------------------------------------------------- */

let announcement;

/* The picture in words: seen at once, said when it has come to rest. */
function describe() {
    const words = view.describe();
    at("caption").textContent = words;
    clearTimeout(announcement);
    announcement = setTimeout(() => {
        at("said").textContent = words;
    }, QUIET);
}

/* Nothing is shown rather than what another generator made. */
function clear() {
    view?.destroy();
    view = shown = painting = null;
    at("paint").disabled = true;
    for (const id of ["caption", "cost", "facts", "carry", "fairness"]) at(id).replaceChildren();
    at("show-json").disabled = seen.disabled = true;
}

/* What a map, and a puzzle above all, asks of the page. */
function hooksOf({ answer, state: { generator } }) {
    const solver = carriers(generators, answer).find((to) =>
        to.generator.fields.some(({ name }) => name === "hint"),
    );
    const next = generator.seed && (() => change("dice", rolled()));
    if (!solver) return { next };
    const asked = { ...solver, given: [...solver.given, ["hint", "true"]] };
    return { next, hint: () => askHint(asked), copy: (text) => copy(text).catch(() => {}) };
}

/* { cells, reason }, or null where there is none. */
async function askHint(asked) {
    try {
        const { result } = await askOnce(asked);
        return [result.hint].flat()[0] ?? null;
    } catch {
        return null;
    }
}

/* The mask, to be painted on the stage; the map comes back when it is done. */
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

/* What stands on what; each is a step away, and keeps all the others. */
function writeTrail() {
    const steps = trail(state, generators, toAddress),
        here = toLink(state);
    at("trail").hidden = !steps.length;
    at("trail").replaceChildren(
        ...steps.map((step) => {
            const href = toLink(step);
            return make(
                "a",
                { href, ...(href === here ? { "aria-current": "step" } : {}) },
                titleOf(step.generator),
            );
        }),
    );
}

/* What may be built on the map that is shown. */
function writeBuilders() {
    at("build").replaceChildren(
        ...builders(generators, state.generator).map(({ generator, field }) =>
            make(
                "button",
                {
                    type: "button",
                    onclick: () => visit(generator, [[field.name, toAddress(state)]]),
                },
                `${titleOf(generator)}: ${field.label.toLowerCase()}`,
            ),
        ),
    );
    at("of-build").parentElement.hidden = !at("build").childElementCount;
}

/* The same board for another generator. */
function writeCarriers(answer) {
    at("carry").replaceChildren(
        ...carriers(generators, answer).map(({ generator, given: pairs }) =>
            make(
                "button",
                { type: "button", onclick: () => visit(generator, pairs) },
                `Take it to the ${titleOf(generator).toLowerCase()}`,
            ),
        ),
    );
}

/* The way to what is wrong, which may lie far down the form. */
const lead = ({ text, target }) =>
    make(
        "button",
        {
            type: "button",
            onclick() {
                for (let fold = target; (fold = fold.closest("details:not([open])")); )
                    fold.open = true;
                target.scrollIntoView({ block: "center" });
                (target.querySelector("input") ?? target).focus({ preventScroll: true });
            },
        },
        text,
    );

const TRIED = "It is tried again.";
const againIn = (seconds) => `It is asked again in ${seconds} s, and so on until it answers.`;

/* Once, however often it is told. */
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
        link: toLink(asked),
        title: titleOf(asked.generator),
        seed: asked.given.find(([name]) => name === "seed")?.[1] ?? "",
        picture: toUrl(asked, "png"),
    });
}

function rest() {
    at("host").removeAttribute("aria-busy");
    work.end();
}

const askAgain = () =>
    make("button", { type: "button", className: "again", onclick: askNow }, "Ask again");

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
        shown = { answer, facts, state: asked };
        painting = null;
        at("paint").disabled = false;
        tellProblem({ errors: [] });
        if (asked === state) form.note(answer.parameters);
        at("seed").placeholder = answer.seed ?? "";
        draw();
        at("facts").replaceChildren(...listFacts(answer, facts));
        at("cost").textContent = sumUp(facts);
        writeCarriers(answer);
        showFairness(at("fairness"), answer.result.fairness);
        offer();
        at("show-json").disabled = false;
        seen.disabled = !view;
        noteSeen(shown);
    },
    problem(problem, again) {
        rest();
        tellProblem(problem, again);
    },
});

/* What stands in the form, a mask that is being painted as well. */
function askNow() {
    if (painting) onInput(painting.name);
    ask(state, 0);
}

/* ---- taking it away -------------------------------------------------------------------------- */

/* How downloads are drawn: as asked, and else as light or dark as the page is. */
function drawnAs({ looks: fields }) {
    const asked = looks.read(),
        theme = fields.find(({ name }) => name === "theme"),
        own = isDark() ? "dark" : "light";
    const open = theme?.schema.enum?.includes(own) && !asked.some(([name]) => name === "theme");
    return open && own !== theme.fallback ? [...asked, ["theme", own]] : asked;
}

/* The picture just as it is seen: from where, how near, light or dark. */
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

/* What a map for Tiled wants beside it. */
function tiles() {
    const href = `mapwright-${shown?.answer.parameters.grid ?? "square"}.png`;
    return make("a", { className: "button", href, download: "" }, "tmj tiles");
}

/* Twelve puzzles on sheets to print, from this seed on. */
function packs({ fields }, href) {
    const url = href("pdf");
    if (!url || !fields.some(({ name }) => name === "difficulty")) return [];
    const sheets = `${url}${url.includes("?") ? "&" : "?"}maps=12`;
    return [
        make(
            "a",
            { className: "button", href: sheets, download: "", title: "This one and eleven more" },
            "pdf of 12",
        ),
    ];
}

/* Downloads and copies are of what the form says, known by its id where an address would be too
   long. */
function offer() {
    if (!state.generator) return;
    const { generator } = state,
        long = isLong(state),
        right = looks.check();
    const drawn = { generator, given: [...state.given, ...drawnAs(generator)] };
    const kept = (format) => shown && `maps/${shown.answer.id}.${format}`;
    const href = (format) => (long ? kept(format) : right ? toUrl(drawn, format) : null);
    at("downloads").replaceChildren(
        ...generator.formats.map((format) =>
            make("a", { className: "button", href: href(format), download: "" }, format),
        ),
        ...(generator.formats.includes("tmj") ? [tiles()] : []),
        ...packs(generator, href),
        seen,
    );
    writeTrail();
    const plain = (field) => generator.fields.find((one) => one.name === field)?.first;
    at("defaults").disabled = state.given.every(
        ([field, text]) => field === "seed" || text === plain(field),
    );
    at("copy-get").disabled = long;
    at("many").disabled = long || !right;
}

/* The clipboard is open to secure pages only; there is an older way for the others. */
async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const box = make("textarea", { value: text, className: "unseen" });
    document.body.append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
}

function copies(id, text) {
    const button = at(id),
        label = button.textContent;
    button.addEventListener("click", async () => {
        const done = await copy(text()).then(
            () => true,
            () => false,
        );
        button.textContent = done ? "Copied" : "Not allowed";
        at("said").textContent = done ? "Copied" : "The browser does not allow copying";
        setTimeout(() => {
            button.textContent = label;
        }, 1200);
        button.focus();
    });
}

function showJson() {
    const { text, cut } = shown.facts.json;
    at("json-text").textContent = cut ? `${text} …` : text;
    at("json-note").textContent = cut
        ? `The first ${text.length.toLocaleString("en")} characters.`
        : "";
    at("json-raw").href = isLong(shown.state) ? `maps/${shown.answer.id}` : toUrl(shown.state);
    at("json").showModal();
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

function turnLock() {
    const kept = !isKept();
    at("lock").setAttribute("aria-pressed", String(kept));
}

function listen() {
    at("dice").addEventListener("click", () => change("dice", rolled()));
    at("seed").addEventListener("input", () => change("seed", at("seed").value.trim()));
    at("lock").addEventListener("click", turnLock);
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
            state.above,
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
    at("show-json").addEventListener("click", showJson);
    at("json-close").addEventListener("click", () => at("json").close());
    for (const id of ["copy-link", "copy-here"])
        copies(id, () => new URL(toLink(state), location.href).href);
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

/* What there is to ask for; until the service tells, it is asked again. */
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
