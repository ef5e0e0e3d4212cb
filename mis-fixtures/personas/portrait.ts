/** Draws a substitute for a patient's photo, small enough to be part of a record. */

/**
 * Returns a data URL of a square SVG picture with initials in it.
 * @param hue hue of the background in degrees, dark enough to contrast with the white letters
 */
export function portrait(initials: string, hue: number): string {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img"><rect width="96" height="96" fill="hsl(${hue},45%,32%)"/>` +
    `<text x="48" y="60" font-family="sans-serif" font-size="36" text-anchor="middle" fill="#fff">${initials}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
