/** Takes pictures of a page as WebP, which the browser encodes, and makes a film of them: one SVG file. */
import type { Browser, Page } from '@playwright/test';

/** Each pixel of the page becomes this many of the picture. */
const SCALE = 1.5;
const QUALITY = 0.72;

export type Camera = (page: Page) => Promise<Buffer>;

export const pictureOptions = { deviceScaleFactor: SCALE, locale: 'en-US', reducedMotion: 'reduce' } as const;

export async function createCamera(browser: Browser): Promise<Camera> {
  const darkroom = await browser.newPage();
  return async (page) => {
    await page.evaluate(() => document.fonts.ready);
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    const webp = await darkroom.evaluate(encode, { png: png.toString('base64'), quality: QUALITY });
    return Buffer.from(webp, 'base64');
  };
}

/** Runs in the browser. */
async function encode({ png, quality }: { png: string; quality: number }): Promise<string> {
  const picture = new Image();
  picture.src = `data:image/png;base64,${png}`;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  return canvas.toDataURL('image/webp', quality).split(',')[1] ?? '';
}

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
