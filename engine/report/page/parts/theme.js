// Light or dark: as the system has it, until the button says otherwise; the choice is kept where the browser keeps anything for a file.
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const themeButton = document.getElementById("theme");

function kept() {
  try {
    return localStorage.getItem("backsweep-theme");
  } catch {
    return null;
  }
}

function keep(theme) {
  try {
    localStorage.setItem("backsweep-theme", theme);
  } catch {
    // The choice holds until the page is left.
  }
}

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
}

function sayTheme() {
  themeButton.textContent = isDark() ? "Light colours" : "Dark colours";
}

if (["light", "dark"].includes(kept())) root.dataset.theme = kept();
themeButton.hidden = false;
themeButton.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  keep(root.dataset.theme);
  sayTheme();
});
system.addEventListener("change", sayTheme);
sayTheme();

