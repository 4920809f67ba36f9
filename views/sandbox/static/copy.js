// A button at each block of code copies it, also in what the console adds later. The page is complete without it. The words are
// attributes of the script element.

(() => {
  const { offer: copy, done: copied } = document.currentScript.dataset;

  function addButtons() {
    for (const code of document.querySelectorAll('pre:not(.copyable > pre)')) {
      const frame = document.createElement('div');
      frame.className = 'copyable';
      const button = Object.assign(document.createElement('button'), {
        type: 'button',
        className: 'button copy',
        textContent: copy,
      });
      button.setAttribute('aria-live', 'polite');
      code.replaceWith(frame);
      frame.append(code, button);
    }
  }

  function copyText({ target }) {
    if (!target.matches('.copy')) return;
    navigator.clipboard.writeText(target.parentElement.querySelector('pre').textContent).then(() => {
      target.textContent = copied;
    });
  }

  // Without TLS, only pages of this machine may write to the clipboard.
  if (!navigator.clipboard) return;
  document.addEventListener('click', copyText);
  new MutationObserver(addButtons).observe(document.body, { childList: true, subtree: true });
  addButtons();
})();
