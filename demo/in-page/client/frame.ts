/** Runs before the client in its frame: gives it the network, settings and time of the page around it. */

import { API_VERSION, AUTH_URL, EHR_URL } from '../addresses.ts';
import type { PartiesWindow } from '../network.ts';

const { partiesFetch } = window.parent as PartiesWindow;
// Alone, the client has nobody to call.
if (!partiesFetch) window.location.replace('../');

const SETTINGS = { ehrUrl: EHR_URL, apiVersion: API_VERSION, authUrl: AUTH_URL, ttlUnit: 'minutes' };

window.fetch = async (address, options) => {
  if (address === '/config.json') return Response.json(SETTINGS);
  if (!partiesFetch) throw new TypeError('The client stands outside of its page.');
  return partiesFetch(address, options);
};

/** The page sets `demoClockAheadMs` whenever the clock is moved. */
const inTime = window as Window & { demoClockAheadMs?: number };
const now = Date.now.bind(Date);
Date.now = () => now() + (inTime.demoClockAheadMs ?? 0);
