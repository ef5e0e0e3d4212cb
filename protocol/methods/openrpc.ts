/**
 * The method table as an OpenRPC document, for both `rpc.discover` and `docs/openrpc.json`, so that they
 * cannot differ.
 */
import { z } from 'zod';
import { errorTable, type Reason } from '../wire/errors.ts';
import { type CredKind, type MethodSpec, type MethodTable, reasonsOf } from './method-spec.ts';

/** The part of the document about the whole service. */
export type ServiceInfo = {
  title: string;
  /** The version of the served interface, such as `1.0-alpha`. */
  version: string;
  description?: string;
  /** The address of the endpoint, if it is known. */
  url?: string;
};

type JsonSchema = Record<string, unknown>;
type ContentDescriptor = { name: string; description?: string; required: boolean; schema: JsonSchema };
type ErrorReference = { $ref: string };

/** One method in an OpenRPC document. The `x-` members are extensions of this interface. */
export type OpenRpcMethod = {
  name: string;
  summary: string;
  paramStructure: 'by-name';
  params: ContentDescriptor[];
  result: ContentDescriptor;
  errors: ErrorReference[];
  examples: {
    name: string;
    params: { name: string; value: unknown }[];
    result: { name: string; value: unknown };
  }[];
  'x-clause': string;
  'x-access': MethodSpec['access'];
  /** The required `cred` of the envelope. Absent: the method takes none. */
  'x-cred'?: { kind: CredKind; description: string; schema: JsonSchema };
};

export type OpenRpcDocument = {
  openrpc: '1.3.2';
  info: { title: string; version: string; description?: string };
  servers?: { name: string; url: string }[];
  methods: OpenRpcMethod[];
  components: { errors: Record<string, { code: number; message: string; data: { reason: Reason } }> };
};

/** The content of `cred`, as a sentence for documents. */
export const credDescriptions: Readonly<Record<CredKind, string>> = {
  none: 'No cred is taken; one that is sent is ignored.',
  session: 'user and token of the session (§5.4).',
  user_sign_digest:
    'The internal user, and the SHA-1 digest of the internal password followed by the user_sign (§5.1).',
  exchange_token_digest:
    'The internal user, and the SHA-1 digest of the internal password followed by the exchange token (§5.2).',
};

/**
 * Describe a method table as an OpenRPC 1.3.2 document, a plain object that can be written as JSON.
 * @example openRpcDocument(ehrMethods, { title: 'EHR server', version: '1.0-alpha' }).openrpc // '1.3.2'
 */
export function openRpcDocument(methods: MethodTable, info: ServiceInfo): OpenRpcDocument {
  const { title, version, description, url } = info;
  const specs = Object.values(methods);
  const used = (Object.keys(errorTable) as Reason[]).filter((reason) =>
    specs.some((spec) => reasonsOf(spec).includes(reason)),
  );
  const errors = used.map((reason) => {
    const { code, message } = errorTable[reason];
    return [reason, { code, message, data: { reason } }] as const;
  });
  return {
    openrpc: '1.3.2',
    info: { title, version, ...(description !== undefined && { description }) },
    ...(url !== undefined && { servers: [{ name: title, url }] }),
    methods: Object.entries(methods).map(([name, spec]) => describeMethod(name, spec)),
    components: { errors: Object.fromEntries(errors) },
  };
}

/**
 * Convert a zod schema to JSON Schema draft 7, without the `$schema` member. It describes what may be sent,
 * so it allows additional members.
 */
export function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  return rest;
}

function credSchema(kind: CredKind): JsonSchema {
  const text = { type: 'string', minLength: 1 };
  const token = kind === 'session' ? text : { type: 'string', pattern: '^[0-9a-f]{40}$' };
  return { type: 'object', required: ['user', 'token'], properties: { user: text, token } };
}

function describeMethod(name: string, spec: MethodSpec): OpenRpcMethod {
  const { clause, summary, access, cred, example } = spec;
  return {
    name,
    summary,
    paramStructure: 'by-name',
    params: describeParams(spec),
    result: { name: 'result', required: true, schema: jsonSchema(spec.result) },
    errors: reasonsOf(spec).map((reason) => ({ $ref: `#/components/errors/${reason}` })),
    examples: [
      {
        name: `${name}, answered with success`,
        params: Object.entries(example.params as Record<string, unknown>).map(([param, value]) => ({
          name: param,
          value,
        })),
        result: { name: 'result', value: example.result },
      },
    ],
    'x-clause': clause,
    'x-access': access,
    ...(cred !== 'none' && {
      'x-cred': { kind: cred, description: credDescriptions[cred], schema: credSchema(cred) },
    }),
  };
}

function describeParams(spec: MethodSpec): ContentDescriptor[] {
  const { properties = {}, required = [] } = jsonSchema(spec.params) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    ...(typeof schema.description === 'string' && { description: schema.description }),
    required: required.includes(name),
    schema,
  }));
}
