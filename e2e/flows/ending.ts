/** Flows of the endings: logging out, disconnecting, deleting the account (§4.5, §4.6). */
import { type Flow, flow } from './flow.ts';
import { secondCode } from './needs.ts';

const READ = 'patient.get_patient';
const LOG_OUT = 'embedded_storage.remove_auth_info';
const DISCONNECT = 'embedded_storage.remove_authentication';

/** Tries an ending while the EHR server is away: nothing has ended, and a later try succeeds. */
const endsOnceEhrIsBack =
  (ending: 'logout' | 'deleteAccount', atEhr: string, atAuth: string): Flow['play'] =>
  async (world) => {
    const { device, before } = await world.connected();
    world.cut('client->ehr');
    await device.press(ending);
    device.isToldOn('error', 'patient');
    world.notCalled(before, atAuth);
    world.mend('client->ehr');
    await device.getOutBy(ending);
    world.called(before, `${atEhr} ok`, `${atAuth} ok`);
  };

export const ending: readonly Flow[] = [
  flow({
    name: 'log-out',
    sentence: 'log out: the EHR server first, then the authorization server; the session is over',
    requirements: ['4.5-called-at-exit', '4.5-ehr-first', 'K-session-ends'],
    async play(world) {
      const { device, before } = await world.connected();
      await device.press('logout');
      device.sees('signedOut');
      world.called(before, `${LOG_OUT} ok`, 'auth.logout ok');
      world.notCalled(before, DISCONNECT);
      await world.sessionIsOver();
    },
  }),
  flow({
    name: 'log-out-without-ehr-server',
    sentence: 'with the EHR server away nobody is logged out, the person is told, and a later try succeeds',
    requirements: ['4.5-auth-after-success', '4.5-ehr-first'],
    play: endsOnceEhrIsBack('logout', LOG_OUT, 'auth.logout'),
  }),
  flow({
    name: 'log-out-without-auth-server',
    sentence: 'with the authorization server away the person is told what is left, and finishes it later',
    requirements: ['4.5-auth-after-success'],
    async play(world) {
      const { device, before } = await world.connected();
      world.cut('client->auth');
      await device.press('logout');
      device.isToldOn('error', 'patient', 'form', 'signedOut');
      world.notCalled(before, 'auth.logout ok');
      world.mend('client->auth');
      await device.getOutBy('logout');
      world.called(before, `${LOG_OUT} ok`, 'auth.logout ok');
    },
  }),
  flow({
    name: 'disconnect',
    sentence: 'disconnect alone: the user stays signed in, and the record can be connected again',
    requirements: ['4.6-called-at-disconnect', '4.6-alone', '3-disconnect-ends-session'],
    async play(world) {
      const { someone, device, before } = await world.connected();
      await device.press('disconnect');
      device.sees('form', 'signedOut');
      world.called(before, `${DISCONNECT} ok`);
      world.notCalled(before, 'auth.logout');
      world.notCalled(before, 'auth.delete_user');
      await device.fillFormUntilRecord(someone.record);
    },
  }),
  flow({
    name: 'disconnect-on-another-device',
    sentence: 'after a disconnect on one device no other device shows the record any more',
    requirements: ['3-disconnect-ends-session', 'D20-all-sessions-removed'],
    needs: [secondCode],
    async play(world) {
      const { someone, device: phone } = await world.connected();
      const tablet = await world.device().connect(someone);
      await tablet.press('disconnect');
      const before = world.calls().length;
      await phone.press('readPatient');
      phone.isToldOn('form', 'error', 'signedOut');
      world.called(before, `${READ} not_authorized`);
    },
  }),
  flow({
    name: 'old-signature',
    sentence: 'after a disconnect the old signature opens nothing: the next sign-in leads to the form',
    requirements: ['D15-sign-renewed', '1-sign-is-part-of-secret'],
    needs: [secondCode],
    async play(world) {
      const { someone, device: phone } = await world.connected();
      const tablet = await world.device().connect(someone);
      await phone.press('logout');
      await tablet.press('disconnect');
      await phone.signIn(someone);
      phone.isToldOn('form', 'error', 'code');
      await phone.findWayBack(someone);
    },
  }),
  flow({
    name: 'record-passed-on',
    sentence: 'a record that its user has disconnected can be connected by another user',
    requirements: ['3-disconnect-ends-session'],
    async play(world) {
      const { someone, device } = await world.connected();
      await device.press('disconnect');
      device.sees('form', 'signedOut');
      const other = { ...world.someone(), record: someone.record };
      await world.device().connect(other);
    },
  }),
  flow({
    name: 'delete-account',
    sentence: 'deletion: disconnected at the EHR server first, then deleted at the authorization server',
    requirements: ['4.6-with-deletion', '4.6-ehr-first', 'K-deletion-forgets'],
    needs: [secondCode],
    async play(world) {
      const { someone, device, before } = await world.connected();
      await device.press('deleteAccount');
      device.sees('signedOut');
      world.called(before, `${DISCONNECT} ok`, 'auth.delete_user ok');
      await world.sessionIsOver();
      await device.signIn(someone);
      device.sees('form');
      await device.fillForm(someone.record);
      device.seesRecordOf(someone.record);
    },
  }),
  flow({
    name: 'delete-account-without-ehr-server',
    sentence: 'when the disconnection fails nothing is deleted, the person is told, and a later try succeeds',
    requirements: ['4.6-auth-after-success', '4.6-ehr-first'],
    play: endsOnceEhrIsBack('deleteAccount', DISCONNECT, 'auth.delete_user'),
  }),
];
