/**
 * Requirements on an EHR server that the kit does not judge, each with the reason: its messages alone cannot
 * show for every server whether it is met.
 */
import type { RequirementId } from '#protocol/requirements.ts';

const OWN_SETTING = 'it describes a setting of the reference server, which another server need not have';

/** The key is the id of a requirement; the value completes "not judged, because". */
export const NOT_JUDGED: Readonly<Partial<Record<RequirementId, string>>> = {
  'D1-default-version': OWN_SETTING,
  'D1-empty-version': OWN_SETTING,
  'D14-never': OWN_SETTING,
  'D23-required-setting': OWN_SETTING,
  'D37-setting': OWN_SETTING,
  'D37-medcard-off': OWN_SETTING,
  'D39-look-alike-signs': 'a server that tells such signs apart is as right as one that does not',
  'D2-too-many-429': 'no server need limit the requests of one address; the kit keeps below such a limit',
  'DE-internal-error': 'no request makes a right server fail',
  'D12-purge-after-retention': 'what a server deletes by itself cannot be seen on the wire',
  'D12-purge-outside-requests': 'when a server deletes cannot be seen on the wire',
  'DA-internal-credentials': 'how a server learns its settings cannot be seen on the wire',
};
