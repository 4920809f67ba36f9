// The API description: a filter over the routes, one language for all examples, and calls from the page in the sandbox. Without
// this script, every route, example and answer is there as well.

(() => {
  const docs = document.querySelector('.docs');
  const LANGUAGE = 'docs-language';

  // The filter finds a route by its method, path and summary, in the contents and in the list of the overview.
  const filter = document.getElementById('filter');
  const noMatch = document.querySelector('.no-match');
  const routes = [...document.querySelectorAll('[data-words]')].map((element) => ({
    element,
    words: `${element.textContent} ${element.dataset.words}`.toLowerCase().replace(/\s+/g, ' '),
  }));
  filter.parentElement.hidden = false;
  filter.addEventListener('input', () => {
    const asked = filter.value.toLowerCase().split(/\s+/);
    for (const { element, words } of routes) element.hidden = !asked.every((word) => words.includes(word));
    for (const group of document.querySelectorAll('.group-link'))
      group.hidden = group.querySelector('[data-words]:not([hidden])') === null;
    docs.classList.toggle('filtered', filter.value !== '');
    const isEmpty = routes.every(({ element }) => element.hidden);
    noMatch.textContent = isEmpty ? noMatch.dataset.text : '';
  });

  // A language that is chosen once is shown at every route, also at the next visit.
  function show(language) {
    for (const radio of document.querySelectorAll('.snippets input'))
      if (radio.value === language) radio.checked = true;
  }
  const chosen = localStorage.getItem(LANGUAGE);
  if (chosen !== null) show(chosen);
  docs.addEventListener('change', ({ target }) => {
    if (!target.matches('.snippets input')) return;
    localStorage.setItem(LANGUAGE, target.value);
    show(target.value);
  });

  // A key that is typed once is filled in at every route of this page, and kept nowhere.
  async function send(form) {
    const { key, path, body } = form.elements;
    const answer = await fetch(form.dataset.prefix + path.value, {
      method: form.dataset.method,
      headers: {
        ...(key && { Authorization: `Bearer ${key.value}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: body.value }),
    });
    const text = await answer.text();
    return `${answer.status} ${answer.statusText}\n${indented(text)}`;
  }

  function indented(text) {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }

  for (const details of document.querySelectorAll('.try')) details.hidden = false;
  docs.addEventListener('input', ({ target }) => {
    if (target.name === 'key')
      for (const each of document.querySelectorAll('.try [name=key]')) each.value = target.value;
  });
  docs.addEventListener('submit', async (event) => {
    event.preventDefault();
    const result = event.target.nextElementSibling;
    const shown = document.createElement('pre');
    shown.tabIndex = 0;
    shown.textContent = await send(event.target).catch(() => docs.dataset.noAnswer);
    result.replaceChildren(shown);
  });
})();
