// Who holds the card (§2.2 `birth`): a person by date of birth, a company by business registration number.

/** YYMMDD of a day that exists. The century is not in it: 29 February is a day in 2000, so `000229` passes. */
export function isBirthDate(digits: string): boolean {
  const [year, month, day] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)].map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(2000 + year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const WEIGHTS = [1, 3, 7, 1, 3, 7, 1, 3, 5];

/** Ten digits with the check digit of the Korean tax office. The document names the number, not its check. */
export function isBusinessNumber(digits: string): boolean {
  const numbers = [...digits].map(Number);
  const weighted = WEIGHTS.reduce((sum, weight, index) => sum + weight * (numbers[index] ?? 0), 0);
  const sum = weighted + Math.floor(((numbers[8] ?? 0) * 5) / 10);
  return numbers.length === 10 && (10 - (sum % 10)) % 10 === numbers[9];
}
