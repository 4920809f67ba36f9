// Numbers that make the sandbox behave in a certain way (contract §5). Offered on the form in sandbox mode only; to the
// merchant they are numbers like any other.

import type { Texts } from '../texts/ko';

export const sandboxCards: readonly { number: string; label: keyof Texts['testCards'] }[] = [
  { number: '4242-4242-4242-4242', label: 'success' },
  { number: '4000-0000-0000-0002', label: 'declined' },
  { number: '4000-0000-0000-0010', label: 'wrong_password' },
  { number: '4000-0000-0000-0069', label: 'expired' },
  { number: '4000-0000-0000-0077', label: 'slow' },
  { number: '4000-0000-0000-0085', label: 'lost_response' },
  { number: '4000-0000-0000-0341', label: 'later_payments_fail' },
];
