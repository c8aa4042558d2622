/** Writes a date in words, as it is in UTC: `5 December 2030`. */
export function inWords (date: Date): string {
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
}
