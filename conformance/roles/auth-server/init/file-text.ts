/** Writes the adapter file that `init` makes from a person's answers. */
import type { Choices } from './questions.ts';

/** The text of the adapter file. `steps`: the section without its first line; else a guess. */
export function fileText(choices: Choices, schema: string, steps = stepsText(choices)): string {
  const { name, url, configuredIn, userVariable, passwordVariable, phones } = choices;
  return `# yaml-language-server: $schema=${schema}
#
# How the conformance kit drives this authorization server. Every key: docs/files.md
name: ${quoted(name)}

server:
  # The server under test, as reached from here.
  url: ${quoted(url)}
  # The kit can start the server itself, and stop it afterwards:
  # start:
  #   command: [node, server.js]
  #   env:
  #     EHR_URL: \${ehrUrl}
  #     EHR_INTERNAL_USER: \${internalUser}
  #     EHR_INTERNAL_PASSWORD: \${internalPassword}
  #   ready: { url: /healthz }

# What the server calls itself at the EHR server. Set both variables to what the server has.
internal:
  user: { env: ${userVariable} }
  password: { env: ${passwordVariable} }

# The kit stands in for the EHR server at this port: give the server http://127.0.0.1:4180 as the EHR address,
# without the version segment if it adds that itself.
ehr:
  apiVersion: 1.0-alpha
  listen: 4180
  # host: 0.0.0.0   # when the server runs in a container
  configuredIn: ${quoted(configuredIn)}

${codeText(choices.codes)}people:
  # Invented users; every # becomes a digit.
  phones: ${quoted(phones)}
  # A phone whose user has no entry in the correspondence table, if there is one:
  # withoutCorrespondence: "79990000007"

# How a client does each thing. What the server does not have is { absent: "<reason>" }; what a person does in their own
# app is { manual: "<what to do>" }. \${phone}, \${code}, \${user}, \${token} and \${userSign?} stand for the values at hand.
steps:
${steps}
timeouts:
  # How long the server may take to answer its client when the EHR server does not.
  patienceMs: 15000
`;
}

function codeText(codes: Choices['codes']): string {
  if (codes === 'none') return '';
  return `${SOURCES[codes]}  # How long a code lives, and how soon another may be requested, in seconds.
  lifetimeSeconds: 300
  resendAfterSeconds: 30

`;
}

const SOURCES: Readonly<Record<Exclude<Choices['codes'], 'none'>, string>> = {
  'json-sms': `# The kit takes the messages: have the server send them as POST http://127.0.0.1:4181/sms {"to": "…", "text": "…"}
otp:
  sink: { port: 4181, shape: json }
`,
  'twilio-sms': `# The kit takes the messages: have the server use http://127.0.0.1:4181 in place of https://api.twilio.com
otp:
  sink: { port: 4181, shape: twilio }
`,
  outbox: `# The kit reads the messages where they are listed.
otp:
  outbox:
    request: { path: "/outbox?to=\${phone}" }
    # Where the list stands in the answer, and in a message its phone and its code (or text: /text, with a pattern).
    list: ""
    to: /to
    code: /code
`,
  fixed: `# The server takes one code from everybody.
otp:
  fixed: { code: "0000" }
`,
  ask: `# The kit asks for each code on the terminal.
otp:
  ask: true
`,
};

function stepsText({ talks, codes }: Choices): string {
  if (talks === 'person') return MANUAL_STEPS;
  const withCode = codes !== 'none';
  const steps = talks === 'rest' ? restSteps(withCode) : rpcSteps(withCode);
  return withCode ? steps : `  requestOtp:\n    absent: the sign-in has no code\n${steps}`;
}

function restSteps(withCode: boolean): string {
  const request = `  requestOtp:
    method: POST
    path: /otp
    json: { phone: "\${phone}" }
`;
  const code = withCode ? `, code: "\${code}"` : '';
  return `${withCode ? request : ''}  confirmOtp:
    method: POST
    path: /login
    # A member whose value is missing is left out: the first sign-in has no user_sign.
    json: { phone: "\${phone}"${code}, user_sign: "\${userSign?}" }
    # Where the answer has the user and the session token (JSON Pointers).
    extract: { user: /user, token: /token, ttl: /ttl }
  exchangeToken:
    method: POST
    path: /exchange-token
    headers: { Authorization: "Bearer \${token}" }
    extract: { exchangeToken: /exchangeToken }
  reportLink:
    method: POST
    path: /link
    headers: { Authorization: "Bearer \${token}" }
    json: { user_sign: "\${userSign}" }
  logout:
    method: POST
    path: /logout
    headers: { Authorization: "Bearer \${token}" }
  deleteUser:
    method: DELETE
    path: /user
    headers: { Authorization: "Bearer \${token}" }
`;
}

function rpcSteps(withCode: boolean): string {
  const request = `  requestOtp:
    rpc: auth.request_otp
    params: { phone: "\${phone}" }
`;
  const code = withCode ? `, code: "\${code}"` : '';
  return `${withCode ? request : ''}  confirmOtp:
    rpc: ${withCode ? 'auth.confirm_otp' : 'auth.login'}
    # A member whose value is missing is left out: the first sign-in has no user_sign.
    params: { phone: "\${phone}"${code}, ehr_user_sign: "\${userSign?}" }
    # Where the answer has the user and the session token (JSON Pointers).
    extract: { user: /result/authInfo/user, token: /result/authInfo/token, ttl: /result/authInfo/ttl }
  exchangeToken:
    rpc: auth.exchange_token
    # The call carries cred: { user, token } of the session.
    cred: session
    extract: { exchangeToken: /result/exchangeToken }
  reportLink:
    rpc: auth.report_link
    params: { user_sign: "\${userSign}" }
    cred: session
  logout:
    rpc: auth.logout
    cred: session
  deleteUser:
    rpc: auth.delete_user
    cred: session
`;
}

const MANUAL_STEPS = `  requestOtp:
    absent: the code is a matter of the sign-in, which a person does
  confirmOtp:
    manual: Sign in, in your own app.
  exchangeToken:
    manual: Ask for the health record, so that the app gets an exchange token.
  reportLink:
    absent: the app does it by itself
  logout:
    manual: Log out.
  deleteUser:
    absent: it is not tried by hand
`;

/** Quotes a text for YAML. A JSON string is valid YAML, too. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
