// The script of the payment service for a shop's pages. It defines one object with two functions: `SVC.init(code)` and
// `SVC.request_pay(fields, callback)`. `notice_url` is named in §6.3; the other names are those of the service's public
// reference. The sandbox replaces "svc" in the next line by SERVICE_NAME_PREFIX.
(function (prefix) {
  'use strict';

  const name = prefix.toUpperCase();
  const windowUrl = new URL('window', document.currentScript.src);
  let accountCode;

  function init(code) {
    accountCode = code;
  }

  /**
   * Opens the payment window over the page, and calls `callback` when it closes. On a phone the browser goes to the window
   * instead and returns to `m_redirect_url`, if the shop gives that address.
   */
  function request_pay({ m_redirect_url: returnUrl, ...fields }, callback) {
    if (!accountCode) throw new Error(`Call ${name}.init with the code of your account first.`);
    if (returnUrl !== undefined && /Mobi/.test(navigator.userAgent))
      location.assign(addressOf({ ...fields, return_url: returnUrl }));
    else openOver(addressOf({ ...fields, callback_origin: location.origin }), fields, callback);
  }

  function openOver(address, { merchant_uid }, callback) {
    const dialog = document.createElement('dialog');
    const frame = document.createElement('iframe');
    frame.src = address;
    const isEnglish = document.documentElement.lang === 'en';
    frame.title = isEnglish ? 'Payment window' : '결제창';
    const closed = isEnglish ? 'You closed the payment window' : '사용자가 결제를 취소하셨습니다';
    // On a wide screen the page of the shop stays in sight behind it.
    const size = {
      width: 'min(100%, 32rem)',
      height: 'min(100%, 48rem)',
      maxWidth: 'none',
      maxHeight: 'none',
    };
    Object.assign(dialog.style, { ...size, padding: '0', border: '0', overflow: 'hidden' });
    Object.assign(frame.style, { width: '100%', height: '100%', display: 'block', border: '0' });
    dialog.append(frame);
    document.body.append(dialog);

    const finish = (result) => {
      removeEventListener('message', receive);
      dialog.remove();
      callback?.(result);
    };
    // Other windows may send messages, too.
    const receive = ({ origin, source, data }) => {
      if (origin === windowUrl.origin && source === frame.contentWindow) finish(data);
    };
    addEventListener('message', receive);
    // The Escape key. No payment was made.
    dialog.addEventListener('close', () =>
      finish({ success: false, merchant_uid, error_msg: `[결제포기] ${closed}` }),
    );
    dialog.showModal();
  }

  function addressOf(fields) {
    const url = new URL(windowUrl);
    // The window shows the language that the shop names, or that of the page, if it has it.
    const lang = fields.language ?? document.documentElement.lang;
    if (lang === 'ko' || lang === 'en') url.searchParams.set('lang', lang);
    for (const [field, value] of Object.entries(fields)) {
      if (value === undefined || value === null) continue;
      if (Array.isArray(value)) for (const each of value) url.searchParams.append(`${field}[]`, each);
      else url.searchParams.set(field, typeof value === 'object' ? JSON.stringify(value) : value);
    }
    return url.href;
  }

  window[name] = { init, request_pay };
})('svc');
