/** Shows what strangers wrote: names, descriptions and addresses. */

const MAX_LENGTH = 200;

/** Everything that nobody sees: controls, direction marks, and characters without a width. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u{2028}\u{2029}]/gu;

/** The text in one line, without what changes its direction, and cut to a length that a list can show. */
export function cleanText(text: string): string {
  const clean = text
    .slice(0, 4 * MAX_LENGTH)
    .replace(UNSEEN, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...clean];
  return letters.length > MAX_LENGTH ? `${letters.slice(0, MAX_LENGTH).join('')}…` : clean;
}

/** An IBAN, or eight digits or more, also in groups. */
const NUMBER = /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]){10,30}\b|\+?\d(?:[ ().-]{0,2}\d){7,}/gi;

/** Replaces the middle of each IBAN and long number by dots. */
export function maskNumbers(text: string): string {
  return text.replace(NUMBER, (found) => {
    const bare = found.replace(/[ ().-]/g, '');
    return `${bare.slice(0, 4)}••••${bare.slice(-2)}`;
  });
}
