// What textual.js leaves to the page: a way back in, and the keyboard for the screen at once.
document.querySelector(".again").addEventListener("click", () => window.location.reload());
new MutationObserver((_changes, watching) => {
  const keyboard = document.querySelector(".xterm-helper-textarea");
  if (keyboard && document.body.classList.contains("-first-byte")) {
    keyboard.focus();
    watching.disconnect();
  }
}).observe(document.body, { attributes: true, attributeFilter: ["class"] });
