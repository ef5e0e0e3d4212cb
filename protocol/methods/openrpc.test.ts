import { expect, test } from 'vitest';
import { z } from 'zod';
import { errorTable, type Reason } from '../wire/errors.ts';
import { authMethods } from './auth-methods.ts';
import { ehrMethods } from './ehr-methods.ts';
import { type MethodTable, reasonsOf } from './method-spec.ts';
import { jsonSchema, type OpenRpcDocument, openRpcDocument } from './openrpc.ts';

const info = { title: 'EHR server', version: '1.0-alpha' };
const ehrDocument = openRpcDocument(ehrMethods, info);
const tables: [string, MethodTable, OpenRpcDocument][] = [
  ['ehr', ehrMethods, ehrDocument],
  ['auth', authMethods, openRpcDocument(authMethods, info)],
];

/** The part of the meta-schema of OpenRPC 1.3 that our documents could violate. */
const schema = z.record(z.string(), z.unknown());
const descriptor = z.strictObject({
  name: z.string().min(1),
  description: z.string().optional(),
  required: z.boolean(),
  schema,
});
const named = z.strictObject({ name: z.string().min(1), value: z.unknown() });
const method = z.strictObject({
  name: z.string().regex(/^(?!rpc\.)|^rpc\.discover$/),
  summary: z.string(),
  paramStructure: z.literal('by-name'),
  params: z.array(descriptor),
  result: descriptor,
  errors: z.array(z.strictObject({ $ref: z.string().startsWith('#/components/errors/') })),
  examples: z.array(z.strictObject({ name: z.string(), params: z.array(named), result: named })).min(1),
  'x-clause': z.string(),
  'x-access': z.enum(['internal', 'client', 'open']),
  'x-cred': z.strictObject({ kind: z.string(), description: z.string(), schema }).optional(),
});
const document = z.strictObject({
  openrpc: z.literal('1.3.2'),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string().optional() }),
  servers: z.array(z.strictObject({ name: z.string(), url: z.string() })).optional(),
  methods: z.array(method),
  components: z.strictObject({
    errors: z.record(
      z.string(),
      z.strictObject({ code: z.int(), message: z.string(), data: z.strictObject({ reason: z.string() }) }),
    ),
  }),
});

test('both documents have the shape of OpenRPC and are JSON as they stand', () => {
  for (const [, , openRpc] of tables) {
    expect(document.parse(openRpc)).toStrictEqual(openRpc);
    expect(JSON.parse(JSON.stringify(openRpc))).toStrictEqual(openRpc);
  }
});

test('every method of a table is described, in its order', () => {
  for (const [, table, openRpc] of tables)
    expect(openRpc.methods.map(({ name }) => name)).toEqual(Object.keys(table));
});

test('every reference leads to an error, and none is unused', () => {
  for (const [, table, { methods, components }] of tables) {
    const referred = new Set<string>();
    for (const { name, errors } of methods) {
      const reasons = errors.map(({ $ref }) => $ref.replace('#/components/errors/', ''));
      expect([name, reasons]).toEqual([name, reasonsOf(table[name] as MethodTable[string])]);
      for (const reason of reasons) referred.add(reason);
    }
    expect(Object.keys(components.errors).sort()).toEqual([...referred].sort());
    for (const [reason, { code, message, data }] of Object.entries(components.errors)) {
      expect({ code, message }).toEqual({
        code: errorTable[reason as Reason].code,
        message: errorTable[reason as Reason].message,
      });
      expect(data).toEqual({ reason });
    }
  }
});

test('no reference in a schema points outside it', () => {
  for (const [name, , openRpc] of tables)
    for (const { params, result } of openRpc.methods)
      for (const { schema: described } of [...params, result])
        expect(JSON.stringify(described), name).not.toContain('"$ref"');
});

test('the parameters are named once each, and required as their method requires them', () => {
  for (const [, table, { methods }] of tables)
    for (const { name, params } of methods) {
      const names = params.map((param) => param.name);
      expect(new Set(names).size).toBe(names.length);
      const missing = table[name]?.params.safeParse({}).error?.issues.map(({ path }) => path[0]) ?? [];
      const required = params.filter((param) => param.required).map((param) => param.name);
      expect([name, required]).toEqual([name, missing.filter((path) => path !== undefined)]);
    }
});

test('the cred that a method takes is described, and none where none is taken', () => {
  for (const [, table, { methods }] of tables)
    for (const { name, 'x-cred': described, 'x-access': access, 'x-clause': clause } of methods) {
      const spec = table[name];
      expect([name, described?.kind ?? 'none', access, clause]).toEqual([
        name,
        spec?.cred,
        spec?.access,
        spec?.clause,
      ]);
    }
  const save = ehrDocument.methods.find(({ name }) => name === 'embedded_storage.save_auth_info');
  expect(save?.['x-cred']).toMatchObject({
    schema: { properties: { token: { pattern: '^[0-9a-f]{40}$' } } },
  });
});

test('what is known of the service stands in the document, and nothing else', () => {
  expect(openRpcDocument({}, info)).toStrictEqual({
    openrpc: '1.3.2',
    info,
    methods: [],
    components: { errors: {} },
  });
  expect(openRpcDocument({}, { ...info, description: 'Serves.', url: 'http://127.0.0.1:1/' })).toMatchObject({
    info: { ...info, description: 'Serves.' },
    servers: [{ name: 'EHR server', url: 'http://127.0.0.1:1/' }],
  });
});

test('a schema is JSON Schema draft 7 of what may be sent', () => {
  expect(jsonSchema(z.object({ a: z.int().min(1), b: z.string().optional() }))).toEqual({
    type: 'object',
    properties: {
      a: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      b: { type: 'string' },
    },
    required: ['a'],
  });
});
