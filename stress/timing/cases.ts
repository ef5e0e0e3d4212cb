/** The pairs of calls that must not be told apart by time, as the texts that are sent. */
import { digest } from '#protocol/digest.ts';
import { callText } from '#protocol/envelope.ts';
import { type Random, randomToken } from '#protocol/random.ts';
import type { Facts } from './subject.ts';

/** One of the two kinds of calls of a pair; the texts are variants of it, all of one length. */
export type Kind = { name: string; texts: readonly string[] };

export type Case = {
  method: string;
  /** Read after "cannot be told apart": what somebody would learn who could. */
  secret: string;
  kinds: readonly [Kind, Kind];
  /** Whether a server with early returns shows a difference here, by which the instrument is checked. */
  control: boolean;
};

/** So many texts of each kind take turns. */
const VARIANTS = 500;

/** Builds all pairs for a server of which `facts` are known. */
export function casesOf(facts: Facts, random: Random): Case[] {
  const variants = (make: (index: number) => string, length = VARIANTS) =>
    Array.from({ length }, (_, index) => make(index));
  const token = () => randomToken(random);
  const wrongDigest = () => digest(token(), token());
  const { internalUser, unknownInternalUser, linkedUser, unlinkedUser, stranger, password, userSign } = facts;

  const save = (caller: string, user: string, proof: () => string) =>
    variants(() =>
      callText({
        id: 1,
        method: 'embedded_storage.save_auth_info',
        params: { authInfo: { user, token: token(), ttl: 60 } },
        cred: { user: caller, token: proof() },
      }),
    );
  const saveExchange = (caller: string, proof: (exchangeToken: string) => string) =>
    variants(() => {
      const exchangeToken = token();
      return callText({
        id: 1,
        method: 'embedded_storage.save_exchange_token',
        params: { exchangeToken, authInfo: { user: linkedUser, token: token(), ttl: 60 } },
        cred: { user: caller, token: proof(exchangeToken) },
      });
    });
  // Where a token lies in the database decides how soon it is found. Of a few hundred one kind lies better by chance.
  const asSession = (method: string, tokenOf: (index: number) => string) =>
    variants(
      (index) => callText({ id: 1, method, cred: { user: stranger, token: tokenOf(index) } }),
      facts.tokens.length,
    );
  const storedToken = (index: number) => facts.tokens[index] as string;
  const rightBut = (at: number) => (proof: string) => {
    const other = proof[at] === '0' ? '1' : '0';
    return proof.slice(0, at) + other + proof.slice(at + 1);
  };

  return [
    {
      method: 'embedded_storage.save_auth_info',
      secret: 'the internal user name',
      kinds: [
        { name: 'wrong digest', texts: save(internalUser, linkedUser, wrongDigest) },
        { name: 'unknown internal user', texts: save(unknownInternalUser, linkedUser, wrongDigest) },
      ],
      control: true,
    },
    {
      method: 'embedded_storage.save_auth_info',
      secret: 'who is linked, to somebody who does not know the internal user name',
      kinds: [
        { name: 'unknown internal user, linked user', texts: save(unknownInternalUser, linkedUser, wrongDigest) },
        { name: 'unknown internal user, unlinked user', texts: save(unknownInternalUser, unlinkedUser, wrongDigest) },
      ],
      control: false,
    },
    {
      method: 'embedded_storage.save_auth_info',
      secret: 'the digest, character by character',
      kinds: [
        {
          name: 'digest wrong in its first character',
          texts: save(internalUser, linkedUser, () => rightBut(0)(digest(password, userSign))),
        },
        {
          name: 'digest wrong in its last character',
          texts: save(internalUser, linkedUser, () => rightBut(39)(digest(password, userSign))),
        },
      ],
      control: false,
    },
    {
      method: 'embedded_storage.save_exchange_token',
      secret: 'the internal user name',
      kinds: [
        { name: 'wrong digest', texts: saveExchange(internalUser, wrongDigest) },
        { name: 'unknown internal user', texts: saveExchange(unknownInternalUser, wrongDigest) },
      ],
      control: true,
    },
    {
      method: 'embedded_storage.save_exchange_token',
      secret: 'the internal password, to somebody who does not know the internal user name',
      kinds: [
        { name: 'unknown internal user, wrong digest', texts: saveExchange(unknownInternalUser, wrongDigest) },
        {
          name: 'unknown internal user, right digest',
          texts: saveExchange(unknownInternalUser, (exchangeToken) => digest(password, exchangeToken)),
        },
      ],
      control: false,
    },
    ...['patient.get_patient', 'embedded_storage.remove_auth_info', 'embedded_storage.remove_authentication'].map(
      (method): Case => ({
        method,
        secret: 'which session tokens exist',
        kinds: [
          { name: "another user's token", texts: asSession(method, storedToken) },
          { name: 'unknown token', texts: asSession(method, token) },
        ],
        control: method === 'patient.get_patient',
      }),
    ),
  ];
}
