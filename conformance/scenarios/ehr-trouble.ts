/** The EHR server refuses, fails, hangs and answers nonsense, each time followed by an attempt without trouble. */
import type { FaultName } from '../journal/entry.ts';
import type { Scenario } from './scenario.ts';

/** Faults after which the client must be told by an error. */
export const failures: readonly FaultName[] = [
  'down',
  'reset',
  'hang',
  'truncate',
  'not-json',
  'wrong-id',
  'http-500',
  'reply-lost',
];

/** Faults that a correct server does not even notice. */
export const oddities: readonly FaultName[] = ['number-id', 'string-id', 'late', 'split-reply'];

/** Documented refusals, as the reference EHR server words them. */
export const refusals = [
  { code: -33000, reason: 'not_authorized' },
  { code: -33403, reason: 'access_forbidden' },
  { code: -32602, reason: 'invalid_params' },
  { code: -32603, reason: 'internal_error' },
  { code: -34003, reason: 'token_already_stored' },
] as const;

const errorOf = ({ code, reason }: { code: number; reason: string }) => ({
  code,
  message: 'Refused by the conformance kit.',
  data: { reason },
});

export const exchangeTokenTrouble: Scenario = {
  id: 'exchange-token-trouble',
  title: 'The EHR server fails in every way while an exchange token is being saved',
  needs: ['confirmOtp', 'exchangeToken'],
  async play(stage) {
    const quin = stage.actor('Quin');
    await stage.signIn(quin);
    await stage.must(quin, 'exchangeToken', { label: 'before any trouble' });
    for (const name of failures) {
      // More often than any sensible number of retries.
      const end = stage.fault('exchange-token', { name }, 20);
      await stage.perform(quin, 'exchangeToken', {
        label: `while: ${name}`,
        defect: `the EHR server's fault: ${name}`,
      });
      end();
      await stage.perform(quin, 'exchangeToken', { label: `after: ${name}` });
    }
    for (const refusal of refusals) {
      const end = stage.fault('exchange-token', { name: 'refuse', error: errorOf(refusal) }, 20);
      await stage.perform(quin, 'exchangeToken', {
        label: `refused: ${refusal.reason}`,
        defect: `the EHR server refuses: ${refusal.reason}`,
      });
      end();
    }
    stage.fault('exchange-token', {
      name: 'refuse',
      error: errorOf({ code: -34004, reason: 'exchange_token_already_stored' }),
    });
    await stage.perform(quin, 'exchangeToken', {
      label: 'duplicate exchange token',
      defect: 'the EHR server says once that the exchange token is stored already',
    });
    await stage.perform(quin, 'exchangeToken', { label: 'after all trouble' });
    await stage.ehr(quin, 'authenticate', { label: 'authenticate after all trouble' });
  },
};

export const saveTrouble: Scenario = {
  id: 'save-trouble',
  title: 'The EHR server fails in every way while the link is being reported',
  needs: ['confirmOtp', 'exchangeToken', 'reportLink'],
  async play(stage) {
    const control = stage.actor('Rae');
    await stage.signIn(control, 'Rae signs in');
    await stage.link(control, 'without trouble');
    for (const name of failures) {
      const actor = stage.actor(`reporter ${name}`);
      await stage.signIn(actor, `sign in for ${name}`);
      await stage.must(actor, 'exchangeToken', { label: `exchange token for ${name}` });
      await stage.mustEhr(actor, 'authenticate', `authenticate for ${name}`);
      const end = stage.fault('auth-info', { name }, 20);
      await stage.perform(actor, 'reportLink', { label: `while: ${name}`, defect: `the EHR server's fault: ${name}` });
      end();
      await stage.perform(actor, 'reportLink', { label: `after: ${name}` });
    }
    const refused = stage.actor('Sol');
    await stage.signIn(refused, 'Sol signs in');
    await stage.must(refused, 'exchangeToken', { label: 'Sol: exchange token' });
    await stage.mustEhr(refused, 'authenticate', 'Sol: authenticate');
    for (const refusal of refusals.filter(({ code }) => code !== -34003)) {
      const end = stage.fault('auth-info', { name: 'refuse', error: errorOf(refusal) }, 20);
      await stage.perform(refused, 'reportLink', {
        label: `refused: ${refusal.reason}`,
        defect: `the EHR server refuses: ${refusal.reason}`,
      });
      end();
    }
    await stage.perform(refused, 'reportLink', { label: 'after all trouble' });
  },
};

export const duplicateToken: Scenario = {
  id: 'duplicate-token',
  title: 'The EHR server says that the token of a returning user is stored already',
  needs: ['confirmOtp', 'exchangeToken', 'reportLink'],
  async play(stage) {
    const tom = stage.actor('Tom');
    await stage.signIn(tom, 'Tom signs in');
    await stage.link(tom, 'Tom links');
    await stage.passResendPause();
    await stage.signIn(tom, 'returns without trouble', { userSign: tom.userSign as string });
    await stage.passResendPause();
    const code = await stage.code(tom, 'a code for the duplicate');
    const end = stage.fault('auth-info', {
      name: 'refuse',
      error: errorOf({ code: -34003, reason: 'token_already_stored' }),
    });
    await stage.perform(
      tom,
      'confirmOtp',
      { label: 'returns with a duplicate token', defect: 'the EHR server says once that the token is stored already' },
      { code, userSign: tom.userSign as string },
    );
    end();
    await stage.ehr(tom, 'getPatient', { label: 'reads the record after the duplicate' });
  },
};

/** Late enough to be noticed, and well within any sensible timeout; in milliseconds. */
const LATE = 400;

export const oddReplies: Scenario = {
  id: 'odd-replies',
  title: 'The EHR server answers rightly, but with another type of id, late, or in parts',
  needs: ['confirmOtp', 'exchangeToken', 'reportLink'],
  async play(stage) {
    for (const name of oddities) {
      const actor = stage.actor(`odd ${name}`);
      await stage.signIn(actor, `sign in for ${name}`);
      const fault = name === 'late' ? { name, delay: LATE } : { name };
      const ends = [stage.fault('exchange-token', fault), stage.fault('auth-info', fault)];
      await stage.perform(actor, 'exchangeToken', { label: `exchange token: ${name}` });
      await stage.ehr(actor, 'authenticate', { label: `authenticate: ${name}` });
      await stage.perform(actor, 'reportLink', { label: `report: ${name}` });
      for (const end of ends) end();
    }
  },
};

export const redirect: Scenario = {
  id: 'redirect',
  title: 'The EHR server answers with a redirect to another address',
  needs: ['confirmOtp', 'exchangeToken'],
  async play(stage) {
    const uma = stage.actor('Uma');
    await stage.signIn(uma);
    await stage.must(uma, 'exchangeToken', { label: 'before the redirect' });
    const end = stage.fault('exchange-token', { name: 'redirect', location: REDIRECT_PATH });
    await stage.perform(uma, 'exchangeToken', {
      label: 'while redirected',
      defect: 'the EHR server answers with a redirect',
    });
    end();
    await stage.perform(uma, 'exchangeToken', { label: 'after the redirect' });
  },
};

/** Where the redirect leads: nothing else ever asks for this path. */
export const REDIRECT_PATH = '/elsewhere/';
