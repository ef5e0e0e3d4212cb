/** The client's own calls to the kit's EHR server: authenticate, read the patient, log out, disconnect. */
import { propertiesOf } from '#mis-fixtures/personas.ts';
import type { Clock } from '#protocol/time/clock.ts';
import { callText, isObject, readReply } from '#protocol/wire/envelope.ts';
import type { EhrStepName, StepResult } from '../../../engine/journal/entry.ts';
import { failed, send } from '../../../engine/party/requests/send.ts';
import { STEP_HEADER } from '../../../engine/wire/body.ts';
import type { User } from './users.ts';

const METHODS: Readonly<Record<EhrStepName, string>> = {
  authenticate: 'embedded_storage.authenticate',
  getPatient: 'patient.get_patient',
  removeAuthInfo: 'embedded_storage.remove_auth_info',
  removeAuthentication: 'embedded_storage.remove_authentication',
};

type EhrClientParts = { ehrEndpoint: string; clock: Clock; stepTimeoutMs: number; signal: AbortSignal };

export class EhrClient {
  readonly #parts: EhrClientParts;
  #ids = 0;

  constructor(parts: EhrClientParts) {
    this.#parts = parts;
  }

  /** Makes one call, of the step `seq`. `sign` is the user_sign that an authentication yielded. */
  async call(
    { user = '', token = '', exchangeToken = '', patient }: User,
    step: EhrStepName,
    seq: number,
  ): Promise<{ result: StepResult; sign?: string }> {
    const id = ++this.#ids;
    const params = { exchangeToken, patientProperties: propertiesOf(patient) };
    const sent = step === 'authenticate' ? { params } : { cred: { user, token } };
    const { ehrEndpoint: url, clock, signal, stepTimeoutMs: timeoutMs } = this.#parts;
    const headers: [string, string][] = [
      ['content-type', 'application/json'],
      [STEP_HEADER, String(seq)],
    ];
    const body = callText({ id, method: METHODS[step], ...sent });
    const answer = await send({ method: 'POST', url, headers, body }, { clock, timeoutMs, signal });
    if (answer.kind === 'failed') return { result: answer };
    try {
      const reply = readReply(answer.text, id);
      if ('error' in reply) {
        const { code, data } = reply.error;
        const reason = isObject(data) ? String(data.reason) : '';
        return { result: { kind: 'refused', status: answer.status, code: String(code), reason } };
      }
      const sign = isObject(reply.result) ? reply.result.user_sign : undefined;
      return { result: { kind: 'done', values: {} }, ...(typeof sign === 'string' && { sign }) };
    } catch (error) {
      return { result: failed('unexpected-answer', (error as Error).message) };
    }
  }
}
