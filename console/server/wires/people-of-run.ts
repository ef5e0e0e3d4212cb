/** Tells whom the messages of a saved run concern: by the steps of the kit, else by the phones in them. */
import { attributionOf } from '#conformance/engine/journal/attribution.ts';
import type { ExchangeEntry } from '#conformance/engine/journal/entry.ts';
import type { Run } from '#conformance/engine/journal/run-file.ts';
import { attributeIn, objectIn, objectOf } from './identities.ts';

/** Returns who is concerned by an exchange. It is asked for all of them, in their order. */
export function peopleOfRun({ meta, entries }: Run): (exchange: ExchangeEntry) => string | undefined {
  const steps = attributionOf(entries);
  const names = objectIn(meta.configuration, 'people');
  /** The phone of a user, and the user of an exchange token. All are pseudonyms. */
  const phones = new Map<unknown, string>();
  const users = new Map<unknown, unknown>();
  return ({ seq, request, response }) => {
    const call = objectOf(request.body);
    const params = objectIn(call, 'params');
    const saved = objectIn(params, 'authInfo').user;
    const signedIn = objectIn(objectIn(objectOf(response?.body ?? ''), 'result'), 'authInfo').user;
    const attribute = attributeIn(params);
    if (attribute !== undefined && signedIn !== undefined) phones.set(signedIn, attribute);
    if (saved !== undefined && params.exchangeToken !== undefined) users.set(params.exchangeToken, saved);
    const user = saved ?? users.get(params.exchangeToken) ?? objectIn(call, 'cred').user;
    const phone = attribute ?? phones.get(user);
    const named = phone && String(names[phone] ?? phone.replaceAll(/[‹›]/g, ''));
    return steps.get(seq)?.user ?? named;
  };
}
