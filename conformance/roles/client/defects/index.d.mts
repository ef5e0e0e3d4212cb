import type { DefectOf, HarmlessOf, Variant } from '../../../engine/defects/catalogue.ts';

/** A variant of the right client, which `run-variant.mjs` starts by its id. */
export type ClientVariant = Variant & {
  /** Further keys of the file about the client. */
  readonly file?: Readonly<Record<string, unknown>>;
};

export const REFERENCE: ClientVariant;
export const clientDefects: readonly DefectOf<ClientVariant>[];
export const harmlessClients: readonly HarmlessOf<ClientVariant>[];
