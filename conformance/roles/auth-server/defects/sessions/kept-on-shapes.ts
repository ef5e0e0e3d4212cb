/** Defects in what is kept of a link, and in trouble, on servers of other shapes. */
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';

export const keptOnShapesDefects: readonly Defect[] = [
  onShape('challenge', 'sign-in-trouble-swallowed', 'sign-in-told-http-500'),
  onShape('challenge', 'sign-in-hangs', 'sign-in-told-hang'),
  onShape('challenge', 'stale-link-locks-out', 'disconnected-user-not-locked-out'),
  onShape('challenge', 'stale-signature-kept', 'stale-signature-forgotten'),
  onShape('challenge', 'stale-link-stays', 'disconnected-user-links-anew'),
  onShape('challenge', 'signature-memory-only', 'link-kept-over-restart'),
  onShape('challenge', 'signature-cut', 'signature-kept-at-link'),
  onShape('challenge', 'signature-not-kept', 'signature-kept-at-link'),
  onShape('challenge', 'signature-of-last-link', 'signatures-kept-of-many'),
  onShape('challenge', 'error-text-accepted', 'exchange-told-error-text'),
  onShape('challenge', 'result-beside-error-accepted', 'sign-in-told-result-and-error'),
  onShape('challenge', 'no-content-accepted', 'save-told-status-204'),
  onShape('challenge', 'first-chunk-only', 'understands-split-reply'),
  onShape('carried-sign', 'sign-in-trouble-swallowed', 'sign-in-told-down'),
  onShape('carried-sign', 'sign-in-hangs', 'sign-in-told-trickle'),
  onShape('carried-sign', 'stale-sign-locks-out', 'disconnected-user-signed-in'),
  onShape('carried-sign', 'broken-after-trouble', 'sign-in-survives-http-500'),
  onShape('carried-sign', 'sign-cut', 'user-sign-digest'),
  onShape('carried-sign', 'sign-lower-case', 'user-sign-digest'),
  onShape('carried-sign', 'sign-of-first-user', 'own-user-sign'),
  onShape('carried-sign', 'user-id-in-memory-only', 'user-kept-over-restart'),
  onShape('carried-sign', 'error-text-accepted', 'sign-in-told-error-text'),
  onShape('carried-sign', 'array-accepted', 'exchange-told-array'),
  onShape('carried-sign', 'gzip-not-understood', 'sign-in-answers-gzip'),
  onShape('carried-sign', 'first-part-only', 'understands-split-reply'),
  onShape('carried-sign', 'id-not-compared', 'exchange-told-wrong-id'),
  onShape('carried-sign', 'retries-pile-up', 'calls-in-trouble-bounded', {
    seenIn: ['fabriziosalmi/proxxx#254', 'panoramicdata/PanoramicData.OData.Client#43'],
  }),
];
