/** Flows from the sign-in to the record (§1). */
import { type Flow, flow } from './flow.ts';
import { ambiguousPatient, authClock, ehrClock, mistyped, secondCode, twins, twinsIn } from './needs.ts';
import { FROM_START } from './world.ts';

const READ = 'patient.get_patient';
const SAVE_TOKEN = 'embedded_storage.save_exchange_token';
const AUTHENTICATE = 'embedded_storage.authenticate';
const SAVE_SESSION = 'embedded_storage.save_auth_info';

/** A minute more or less than the lifetime: the clocks of foreign servers run on while a flow is played. */
const MARGIN_MINUTES = 1;
const EXCHANGE_TOKEN_MINUTES = 10;

export const linking: readonly Flow[] = [
  flow({
    name: 'first-link',
    sentence: 'first link: sign in, be refused, exchange token, authenticate, record the session',
    requirements: [
      '1-pair-at-sign-in',
      '1-sign-in-comes-first',
      '1-form-on-refusal',
      '1-exchange-token-requested',
      '1-exchange-token-to-client',
      '1-exchange-token-to-ehr',
      '1-auth-told-of-link',
      '1-session-saved-after-link',
      '4.2-asking-session',
      '2.4-known-to-both',
      '1-properties-not-to-auth',
    ],
    async play(world) {
      const { someone, device } = await world.signedIn();
      device.sees('form');
      await device.fillForm(someone.record);
      device.seesRecordOf(someone.record);
      await world.untilCalled('auth.report_link ok');
      world.called(
        FROM_START,
        `${READ} not_authorized`,
        `${SAVE_TOKEN} ok`,
        `${AUTHENTICATE} ok`,
        `${SAVE_SESSION} ok`,
      );
      await device.press('readPatient');
      device.seesRecordOf(someone.record);
    },
  }),
  flow({
    name: 'returning-user',
    sentence: 'a returning user sees the record after the code alone, without a form',
    requirements: ['1-matched-user-saved-directly', '5.1-digest-of-own-sign', '1-internal-id-looked-up'],
    needs: [secondCode],
    async play(world) {
      const { someone, device } = await world.connected();
      await device.press('logout');
      device.sees('signedOut');
      const before = world.calls().length;
      await device.signIn(someone);
      device.seesRecordOf(someone.record);
      world.called(before, `${SAVE_SESSION} ok`, `${READ} ok`);
      world.notCalled(before, AUTHENTICATE);
    },
  }),
  flow({
    name: 'second-device',
    sentence: 'a second device shows the same record, and each device logs out for itself',
    requirements: ['D19-one-session', '1-pair-per-session'],
    needs: [secondCode],
    async play(world) {
      const { someone, device: phone } = await world.connected();
      const tablet = await world.device().connect(someone);
      await phone.press('logout');
      phone.sees('signedOut');
      await tablet.press('readPatient');
      tablet.seesRecordOf(someone.record);
    },
  }),
  flow({
    name: 'exchange-token-in-time',
    sentence: 'a form that is corrected within ten minutes leads to the record',
    requirements: ['1-authenticate-in-time', '8-exchange-token-lifetime'],
    needs: [ehrClock],
    async play(world) {
      const { someone, device } = await world.signedIn();
      await device.fillForm(mistyped(someone.record));
      device.isToldOn('form');
      await world.advance(EXCHANGE_TOKEN_MINUTES - MARGIN_MINUTES, 'ehr');
      await device.fillForm(someone.record);
      device.seesRecordOf(someone.record);
    },
  }),
  flow({
    name: 'exchange-token-expired',
    sentence: 'after ten minutes another exchange token is taken, and the right form leads to the record',
    requirements: ['8-exchange-token-lifetime', '7-client-handles-errors'],
    needs: [ehrClock],
    async play(world) {
      const { someone, device } = await world.signedIn();
      await device.fillForm(mistyped(someone.record));
      device.isToldOn('form');
      const before = world.calls().length;
      await world.advance(EXCHANGE_TOKEN_MINUTES + MARGIN_MINUTES, 'ehr');
      await device.fillFormUntilRecord(someone.record);
      world.called(before, `${SAVE_TOKEN} ok`, `${AUTHENTICATE} ok`);
    },
  }),
  flow({
    name: 'session-expired',
    sentence: 'when the session has run out the record is not shown, and signing in again leads back to it',
    requirements: ['2.3-token-unique', 'DE-session-expired'],
    needs: [ehrClock, authClock],
    async play(world) {
      const { someone, device } = await world.connected();
      await world.untilCalled('auth.report_link ok');
      const before = world.calls().length;
      await world.advance(world.sessionMinutes() + MARGIN_MINUTES);
      await device.press('readPatient');
      device.isToldOn('signedOut', 'form', 'error');
      world.called(before, `${READ} session_expired`);
      await device.findWayBack(someone);
    },
  }),
  flow({
    name: 'wrong-details',
    sentence: 'wrong details are told and can be corrected, as often as a person mistypes',
    requirements: ['D13-failed-match-keeps-token', '7-client-handles-errors', 'DE-patient-not-matched'],
    async play(world) {
      const { someone, device } = await world.signedIn();
      for (let mistake = 0; mistake < 2; mistake++) {
        await device.fillForm(mistyped(someone.record));
        device.isToldOn('form');
      }
      world.called(FROM_START, `${AUTHENTICATE} patient_not_matched`);
      await device.fillForm(someone.record);
      device.seesRecordOf(someone.record);
    },
  }),
  flow({
    name: 'twins',
    sentence: 'twins with one phone are told apart by their names',
    requirements: ['D28-phone-strategy'],
    needs: [twins],
    async play(world) {
      const [one, other] = twinsIn(world.parties.ehr.people.matching) ?? [];
      const [first, second] = [world.someone(one), world.someone(other)];
      await world.device().connect(first);
      await world.device().connect(second);
    },
  }),
  flow({
    name: 'namesakes',
    sentence: 'a form that fits two patients leads to no record, and the person is told',
    requirements: ['DE-patient-not-matched'],
    needs: [ambiguousPatient],
    async play(world) {
      const { device } = await world.signedIn();
      const { ambiguous } = world.parties.ehr.people;
      if (ambiguous) await device.fillForm(ambiguous);
      device.isToldOn('form');
      world.called(FROM_START, `${AUTHENTICATE} patient_not_matched`);
    },
  }),
  flow({
    name: 'record-of-another',
    sentence: 'a record that belongs to another user is refused, and the own record can be connected then',
    requirements: ['DE-patient-already-linked', '7-client-handles-errors'],
    async play(world) {
      const { someone } = await world.connected();
      const { someone: other, device } = await world.signedIn();
      await device.fillForm(someone.record);
      device.isToldOn('form', 'error');
      world.called(FROM_START, `${AUTHENTICATE} patient_already_linked`);
      await device.fillFormUntilRecord(other.record);
    },
  }),
  flow({
    name: 'race-for-a-record',
    sentence: 'of two users who claim one record at the same moment exactly one sees it',
    requirements: ['DE-patient-already-linked'],
    async play(world) {
      const [first, second] = [world.someone(), world.someone()];
      const devices = [world.device(), world.device()] as const;
      await devices[0].signIn(first);
      await devices[1].signIn(second);
      await Promise.all(devices.map((device) => device.fillForm(first.record)));
      world.called(FROM_START, `${AUTHENTICATE} patient_already_linked`);
      const winners = devices.filter(({ screen }) => screen === 'patient');
      world.require(winners.length === 1, `${winners.length} of the two users see the record.`);
    },
  }),
  flow({
    name: 'two-people',
    sentence: 'two people on two devices each see their own record',
    requirements: ['1-pair-per-session'],
    async play(world) {
      const [first, second] = [await world.connected(), await world.connected()];
      for (const { someone, device } of [first, second]) {
        await device.press('readPatient');
        device.seesRecordOf(someone.record);
      }
    },
  }),
];
