/** Finds the Chrome or Chromium of the browser tests. */
import { chromium } from '@playwright/test';
import { findBrowser as findIn, placesHere } from '#conformance/roles/client/drivers/browser/find-browser.ts';

/** Returns the full path of a browser that starts, or undefined when there is none. */
export const findBrowser = (): string | undefined => findIn(placesHere(chromium.executablePath()));
