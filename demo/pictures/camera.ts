/** Takes pictures of a page as WebP, which the browser encodes: text stays sharp in a tenth of the size. */
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
