/* theme.js: light or dark as it was left, before anything is seen. Not a module: those wait. */
try {
    const theme = localStorage.getItem("theme");
    if (theme) document.documentElement.dataset.theme = theme;
} catch {
    /* no storage: as the system has it */
}
