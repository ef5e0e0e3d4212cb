/**
 * The EHR server's six methods on the state in memory, served from the method table by the real server's
 * pipeline.
 */
import { digest } from '#protocol/digest.ts';
import { ehrMethods } from '#protocol/ehr-methods.ts';
import type { ReplyId } from '#protocol/envelope.ts';
import { RpcError } from '#protocol/errors.ts';
import { phoneKey } from '#protocol/matching.ts';
import type { Cred, CredKind } from '#protocol/method-spec.ts';
import { openRpcDocument } from '#protocol/openrpc.ts';
import { type CallReport, createPipeline, type Pipeline } from '#protocol/pipeline.ts';
import type { AuthInfo, EhrMemory, Link } from './ehr-memory.ts';
import type { PatientLookup } from './patient-lookup.ts';

export type EhrPipelineOptions = {
  memory: EhrMemory;
  patients: PatientLookup;
  internal: { user: string; password: string };
  apiVersion: string;
  replyId: ReplyId;
  report: (report: CallReport) => void;
};

export function createEhrPipeline({
  memory,
  patients,
  internal,
  apiVersion,
  replyId,
  report,
}: EhrPipelineOptions): Pipeline {
  return createPipeline({
    methods: ehrMethods,
    replyId,
    onCall: report,
    verify: (kind, cred, params) => {
      verify(kind, cred, params, memory, internal);
      return cred;
    },
    run: {
      'embedded_storage.save_auth_info': ({ authInfo }) => memory.saveSession(authInfo),
      'embedded_storage.save_exchange_token': ({ exchangeToken, authInfo }) =>
        memory.saveExchangeToken(exchangeToken, authInfo),
      'embedded_storage.authenticate': (params) => {
        const [patientId, another] = patients.find(params);
        const { phone: typed } = params.patientProperties;
        const phone = typed === undefined ? undefined : phoneKey(typed);
        const token = memory.usableToken(params.exchangeToken, phone);
        if (patientId === undefined || another !== undefined) throw memory.failedMatch(token, phone);
        return replyOf(patients, memory.link(token, patientId, phone));
      },
      'patient.get_patient': (_params, { user }) => {
        const link = memory.linkOf(user);
        if (!link) throw new RpcError('not_authorized');
        return replyOf(patients, link);
      },
      'embedded_storage.remove_auth_info': (_params, { token }) => {
        memory.removeSession(token);
        return {};
      },
      'embedded_storage.remove_authentication': (_params, { user }) => {
        memory.removeUser(user);
        return {};
      },
      'rpc.discover': () => openRpcDocument(ehrMethods, { title: 'EHR server (mock handlers)', version: apiVersion }),
    },
  });
}

/** Checks the cred of a call. @throws RpcError `not_authorized`, `session_expired`, `user_unknown` */
function verify(
  kind: CredKind,
  cred: Cred,
  params: Record<string, unknown>,
  memory: EhrMemory,
  internal: EhrPipelineOptions['internal'],
): void {
  switch (kind) {
    case 'none':
      return;
    case 'session':
      memory.verifySession(cred.user, cred.token);
      return;
    case 'exchange_token_digest':
      verifyDigest(cred, internal, params.exchangeToken as string);
      return;
    case 'user_sign_digest': {
      if (cred.user !== internal.user) throw new RpcError('not_authorized');
      const link = memory.linkOf((params.authInfo as AuthInfo).user);
      if (!link) throw new RpcError('user_unknown');
      verifyDigest(cred, internal, link.userSign);
    }
  }
}

function verifyDigest(cred: Cred, internal: EhrPipelineOptions['internal'], secret: string): void {
  if (cred.user !== internal.user || cred.token !== digest(internal.password, secret))
    throw new RpcError('not_authorized');
}

function replyOf(patients: PatientLookup, { patientId, userSign }: Link) {
  const patient = patients.get(patientId);
  if (!patient) throw new RpcError('patient_not_matched');
  return { patient, user_sign: userSign, userSign };
}
