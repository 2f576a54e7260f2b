/* theme.js: sets the stored theme before the first paint; not a module, as those are deferred. */
try {
    const theme = localStorage.getItem("theme");
    if (theme) document.documentElement.dataset.theme = theme;
} catch {
    /* no storage: as the system has it */
}
