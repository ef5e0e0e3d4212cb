/** A moving picture as one SVG file: frames above each other, which its style shows one after the other. */

/** `seconds`: how long the frame is shown. */
export type Frame = { readonly picture: Buffer; readonly seconds: number };
export type Film = { readonly width: number; readonly height: number; readonly frames: readonly Frame[] };

/** Without animations, as in print, or for readers who want none, the last frame stands. */
export function filmOf({ width, height, frames }: Film): string {
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  let at = 0;
  const rules = frames.map(({ seconds }, index) => {
    const begins = ((100 * at) / total).toFixed(2);
    at += seconds;
    return index === 0
      ? ''
      : `@keyframes f${index}{0%{opacity:0}${begins}%,100%{opacity:1}}#f${index}{animation:f${index} ${total}s step-end infinite}`;
  });
  const images = frames.map(
    ({ picture }, index) =>
      `<image id="f${index}" width="${width}" height="${height}" href="data:image/webp;base64,${picture.toString('base64')}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<style>@media (prefers-reduced-motion:no-preference){${rules.join('')}}</style>`,
    ...images,
    '</svg>\n',
  ].join('\n');
}
