// Opens the payment window by the service's browser script. Copy this file to your shop: the button's attributes say what is paid.
(function () {
  'use strict';

  const button = document.getElementById('pay');
  const { service, account, payment } = button.dataset;
  // The service's object, such as SVC. It is missing if the script of the service was not loaded; the button is then a link.
  const sdk = window[service];
  if (!sdk) return;
  const fields = JSON.parse(payment);
  sdk.init(account);
  button.addEventListener('click', (event) => {
    event.preventDefault();
    sdk.request_pay(fields, showResult);
  });

  // A phone returns to m_redirect_url without this call. The result is only a hint: the return page fetches the payment.
  function showResult(result) {
    const paymentId = `${service.toLowerCase()}_uid`;
    if (result[paymentId]) {
      const address = new URL(fields.m_redirect_url);
      address.searchParams.set(paymentId, result[paymentId]);
      address.searchParams.set('merchant_uid', fields.merchant_uid);
      location.assign(address);
    } else document.getElementById('problem').textContent = result.error_msg.replace(/^\[결제포기\] ?/, '');
  }
})();
