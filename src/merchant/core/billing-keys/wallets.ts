// The wallets whose keys are issued in the payment window, as the service names a provider or a method of payment (§2.3).

const WALLETS: Readonly<Record<string, string>> = {
  kakaopay: '카카오페이',
  naverpay: '네이버페이',
  tosspay: '토스페이',
  payco: '페이코',
  samsung: '삼성페이',
  lpay: '엘페이',
  ssgpay: 'SSG페이',
  paypal: 'PayPal',
};

/** In Korean, as the service writes the names of card companies. Null if it is none of these. */
export function walletName(name: string | null): string | null {
  return WALLETS[name?.split('_')[0] ?? ''] ?? null;
}
