// Puts a button beside each block of code, and beside each element with `data-copy`, that copies its text. The page is complete
// without it. The words are attributes of the script element.

(() => {
  const { offer: copy, done: copied } = document.currentScript.dataset;
  const SHOWN_MS = 2000;

  function offer(element) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button copy';
    button.setAttribute('aria-live', 'polite');
    const isBlock = element.matches('pre');
    const rest = () => {
      button.textContent = copy;
      // A page may have several of them.
      if (!isBlock && element.textContent)
        button.setAttribute('aria-label', `${copy}: ${element.textContent}`);
    };
    rest();
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(element.value ?? element.textContent);
      button.removeAttribute('aria-label');
      button.textContent = copied;
      setTimeout(rest, SHOWN_MS);
    });
    if (isBlock) {
      const frame = document.createElement('div');
      frame.className = 'copyable';
      element.replaceWith(frame);
      frame.append(element, button);
    } else (element.closest('h1') ?? element).after(' ', button);
  }

  // Without TLS, only pages of this machine may write to the clipboard.
  if (navigator.clipboard) document.querySelectorAll('pre, [data-copy]').forEach(offer);
})();
