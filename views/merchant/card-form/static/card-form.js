// Helps while the card form is filled in. Nothing depends on it: the server checks everything again, and the form works
// without it. It sends nothing anywhere and keeps nothing.
(function () {
  'use strict';

  const form = document.querySelector('[data-card-form]');
  const problems = JSON.parse(form.dataset.problems);
  const field = (name) => form.elements[name];
  const button = form.querySelector('button[type=submit]');
  const label = button.querySelector('[data-label]');
  const restingLabel = label.textContent;
  const isCompany = () => field('card_holder').value === 'company';
  const [loading] = window.performance.getEntriesByType('navigation');
  const arrivedAt = loading?.responseStart ?? window.performance.now();

  // Full-width digits and dashes, as a Korean keyboard may write them, become ASCII.
  const toAscii = (text) =>
    text
      .replace(/[\uff10-\uff19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
      .replace(/[\uff0d\u2010-\u2015\u2212]/g, '-')
      .replace(/\uff0f/g, '/')
      .replace(/\uff0e/g, '.')
      .replace(/\u3000/g, ' ');
  const digitsOf = (text) => text.replace(/[^0-9]/g, '');

  // Formats: each returns the typed text in groups. Text that is not digits is left as it is.
  const formats = {
    card_number: (text) => (/[^0-9 .-]/.test(text) ? text : digitsOf(text).replace(/(.{4})(?=.)/g, '$1 ')),
    // A slash stands between month and year as soon as there is a year; a month is never above 12.
    expiry: (text) => {
      const parts = /^(0[1-9]|1[0-2]|[1-9](?= *\/)) *\/? *([0-9]{1,4})$/.exec(text);
      return parts ? `${parts[1]} / ${parts[2]}` : text;
    },
    birth: (text) =>
      !isCompany() || /[^0-9 .-]/.test(text)
        ? text
        : digitsOf(text).replace(/^([0-9]{3})([0-9]{1,2})?([0-9]+)?$/, (_all, a, b, c) =>
            [a, b, c].filter(Boolean).join('-'),
          ),
    pwd_2digit: (text) => text,
  };

  /** Rewrites the value and keeps the caret behind the same digit. */
  function reformat(input) {
    const typed = input.value;
    const caret = input.selectionStart ?? typed.length;
    const formatted = formats[input.name](toAscii(typed));
    if (formatted === typed) return;
    const digitsBefore = digitsOf(toAscii(typed.slice(0, caret))).length;
    input.value = formatted;
    if (document.activeElement !== input || caret === typed.length) return;
    let position = 0;
    for (let seen = 0; seen < digitsBefore && position < formatted.length; position += 1) {
      if (/[0-9]/.test(formatted[position])) seen += 1;
    }
    input.setSelectionRange(position, position);
  }

  // The rules of the server, one problem name each, or null.
  const checks = {
    card_number: (text) => {
      if (text === '') return 'card_number_missing';
      if (/[^0-9 .-]/.test(text)) return 'card_number_digits';
      return digitsOf(text).length === 16 ? null : 'card_number_length';
    },
    expiry: (text) => {
      if (text === '') return 'expiry_missing';
      const written =
        /^(?<year>[0-9]{4})[-./](?<month>[0-9]{2})$/.exec(text) ??
        /^(?<month>[0-9]{1,2}) {0,3}[-./] {0,3}(?<year>[0-9]{2}|[0-9]{4})$/.exec(text) ??
        /^(?<month>[0-9]{2})(?<year>[0-9]{2})$/.exec(text);
      const month = Number(written?.groups.month);
      const year = Number(written?.groups.year.padStart(4, '20'));
      if (!(month >= 1 && month <= 12)) return 'expiry_format';
      const korea = new Date(Date.now() + 9 * 3600 * 1000);
      const ahead = year * 12 + month - (korea.getUTCFullYear() * 12 + korea.getUTCMonth() + 1);
      if (ahead < 0) return 'expiry_past';
      return ahead > 240 ? 'expiry_too_far' : null;
    },
    birth: (text) => {
      if (text === '') return isCompany() ? 'business_number_missing' : 'birth_missing';
      const [date, century = '20', year, , month, day] =
        /^(19|20)?([0-9]{2})([-./ ]?)([0-9]{2})\3([0-9]{2})$/.exec(text) ?? [];
      if (date) return isDay(century + year, month, day) ? null : 'birth_date';
      if (/^[0-9]{6}[-. ]?[0-9]{7}$/.test(text)) return 'birth_resident_number';
      if (!/^[0-9]{3}[-. ]?[0-9]{2}[-. ]?[0-9]{5}$/.test(text)) return 'birth_format';
      return isBusinessNumber(digitsOf(text)) ? null : 'birth_business_number';
    },
    pwd_2digit: (text) => {
      if (text === '') return 'pwd_2digit_missing';
      return /^[0-9]{2}$/.test(text) ? null : 'pwd_2digit_format';
    },
  };
  const boxes = ['agree_terms', 'agree_privacy'];
  // In the order of the page, which is that of the summary.
  const names = [...form.elements].map(({ name }) => name);
  const texts = names.filter((name) => name in checks);

  function isDay(year, month, day) {
    const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
    return date.getUTCMonth() === Number(month) - 1;
  }

  function isBusinessNumber(digits) {
    const n = [...digits].map(Number);
    const sum = [1, 3, 7, 1, 3, 7, 1, 3, 5].reduce((total, weight, index) => total + weight * n[index], 0);
    return (10 - ((sum + Math.floor((n[8] * 5) / 10)) % 10)) % 10 === n[9];
  }

  function passesLuhn(digits) {
    const sum = [...digits].reverse().reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    return sum % 10 === 0;
  }

  /** Of the brands whose numbers have 16 digits: others are refused (§2.2). */
  function brandOf(digits) {
    const four = Number(digits.slice(0, 4));
    if (digits[0] === '9') return document.documentElement.lang === 'en' ? 'Domestic' : '국내전용';
    if (digits[0] === '4') return 'Visa';
    if (/^5[1-5]/.test(digits) || (four >= 2221 && four <= 2720)) return 'Mastercard';
    if (/^35/.test(digits)) return 'JCB';
    return /^62/.test(digits) ? 'UnionPay' : '';
  }

  const problemOf = (name) =>
    boxes.includes(name)
      ? field(name).checked
        ? null
        : `${name}_missing`
      : checks[name](field(name).value.trim());

  /** Shows or clears the problem of one field and answers it. */
  function show(name) {
    const problem = problemOf(name);
    const message = document.getElementById(`${name}-error`);
    const input = field(name);
    message.textContent = problem ? problems[problem] : '';
    input.setAttribute('aria-invalid', String(problem !== null));
    const others = (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .filter((id) => id && id !== message.id);
    if (problem) others.push(message.id);
    if (others.length > 0) input.setAttribute('aria-describedby', others.join(' '));
    else input.removeAttribute('aria-describedby');
    return problem;
  }
  const isShown = (name) => field(name).getAttribute('aria-invalid') === 'true';

  function afterInput(name) {
    if (name === 'card_number') {
      const digits = digitsOf(field(name).value);
      form.querySelector('[data-brand]').textContent = brandOf(digits);
      form.querySelector('[data-luhn]').hidden = digits.length !== 16 || passesLuhn(digits);
    }
    if (name === 'birth') {
      cutResidentNumber();
      offerSwitch();
    }
    if (isShown(name)) show(name);
  }

  /** Of a resident registration number only the date with which it begins stays. */
  function cutResidentNumber() {
    const digits = digitsOf(field('birth').value);
    form.querySelector('[data-resident]').hidden = digits.length !== 13;
    if (digits.length === 13) field('birth').value = digits.slice(0, 6);
  }

  /** Digits that fit the other kind of card: offer it, never switch unasked. */
  function offerSwitch() {
    const count = digitsOf(field('birth').value).length;
    const isDate = count === 6 || count === 8;
    const wanted = !isCompany() && count === 10 ? 'company' : isCompany() && isDate ? 'personal' : '';
    for (const each of form.querySelectorAll('[data-switch]')) {
      // While a business number is being typed it has as many digits too: ask only when the field is left.
      each.hidden =
        each.dataset.switch !== wanted ||
        (wanted === 'personal' && document.activeElement === field('birth'));
    }
  }

  function showSummary(names) {
    document.getElementById('summary')?.remove();
    const summary = document.createElement('div');
    Object.assign(summary, { id: 'summary', className: 'summary', tabIndex: -1 });
    summary.setAttribute('role', 'alert');
    const title = document.createElement('h2');
    title.className = 'summary-title';
    title.textContent = form.dataset.summary;
    const list = document.createElement('ul');
    for (const name of names) {
      const link = document.createElement('a');
      link.href = `#${name}`;
      link.textContent = problems[problemOf(name)];
      list.append(document.createElement('li'));
      list.lastChild.append(link);
    }
    summary.append(title, list);
    form.before(summary);
    summary.focus();
    if (!document.title.startsWith(form.dataset.errorPrefix))
      document.title = form.dataset.errorPrefix + document.title;
  }

  function rest() {
    button.disabled = false;
    button.removeAttribute('aria-busy');
    label.textContent = restingLabel;
  }

  form.noValidate = true;
  for (const name of texts) {
    field(name).addEventListener('input', () => {
      reformat(field(name));
      afterInput(name);
    });
    field(name).addEventListener('blur', () => {
      if (field(name).value !== '') show(name);
      if (name === 'birth') offerSwitch();
    });
  }
  // Ticks both boxes, and shows whether both are ticked. It has no name, so it is not sent.
  const allBox = form.querySelector('[data-all] input');
  allBox.closest('[data-all]').hidden = false;
  allBox.addEventListener('change', () => {
    for (const name of boxes) {
      field(name).checked = allBox.checked;
      if (isShown(name)) show(name);
    }
  });
  const showAll = () => (allBox.checked = boxes.every((name) => field(name).checked));
  for (const name of boxes) {
    field(name).addEventListener('change', () => {
      if (isShown(name)) show(name);
      showAll();
    });
  }
  showAll();
  for (const radio of field('card_holder')) {
    radio.addEventListener('change', () => {
      reformat(field('birth'));
      afterInput('birth');
    });
  }
  for (const each of form.querySelectorAll('[data-switch]')) {
    each.addEventListener('click', () => {
      field('card_holder').value = each.dataset.switch;
      // Grouped as a business number, a date would not be read.
      field('birth').value = digitsOf(field('birth').value);
      reformat(field('birth'));
      show('birth');
      field('birth').focus();
      each.hidden = true;
    });
  }

  form.addEventListener('submit', (event) => {
    const wrong = [...texts, ...boxes].filter((name) => show(name) !== null);
    if (wrong.length > 0) {
      event.preventDefault();
      showSummary(wrong);
      return;
    }
    button.disabled = true;
    button.setAttribute('aria-busy', 'true');
    label.textContent = button.dataset.busy;
    // The server refuses a form that comes back sooner than this, so one that the browser has filled in waits here.
    const waitMs = Number(form.dataset.minAge) - (window.performance.now() - arrivedAt);
    if (waitMs <= 0) return;
    event.preventDefault();
    window.setTimeout(() => form.submit(), waitMs);
  });

  // Going back must find an empty form. A page from the browser's memory is an old form, so a new one is fetched; a page
  // that was loaded again may have been filled in again by the browser.
  window.addEventListener('pageshow', (event) => {
    rest();
    const [navigation] = window.performance.getEntriesByType('navigation');
    if (event.persisted || navigation?.type === 'back_forward') form.reset();
    if (event.persisted) location.reload();
  });

  const chips = document.querySelector('[data-chips]');
  if (chips) {
    chips.addEventListener('click', ({ target }) => {
      if (!target.dataset.card) return;
      field('card_holder').value = 'personal';
      const sample = { card_number: target.dataset.card, expiry: '1230', birth: '880101', pwd_2digit: '12' };
      for (const name of texts) {
        field(name).value = sample[name];
        reformat(field(name));
        show(name);
        afterInput(name);
      }
    });
  }
})();
