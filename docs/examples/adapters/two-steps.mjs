/** The file of a server with a sign-in in two steps, which needs a program. */
export const settings = {
  name: 'Server with a sign-in of its own',
  server: { url: 'http://127.0.0.1:8080' },
  internal: { user: { env: 'EHR_INTERNAL_USER' }, password: { env: 'EHR_INTERNAL_PASSWORD' } },
  ehr: { configuredIn: 'ehr.url in application.properties' },
  people: { phones: '7999555####' },
  steps: {
    requestOtp: { absent: 'the sign-in has no code' },
    exchangeToken: {
      method: 'POST',
      path: '/exchange-token',
      headers: { Authorization: 'Bearer ${token}' },
      extract: { exchangeToken: '/exchangeToken' },
    },
    reportLink: { absent: 'the app does it by itself' },
    logout: { method: 'POST', path: '/logout', headers: { Authorization: 'Bearer ${token}' } },
    deleteUser: { absent: 'there is no such function' },
  },
};

export function adapter(declared, { baseUrl }) {
  return {
    ...declared,
    has: (step) => step === 'confirmOtp' || declared.has(step),
    async perform(step, input, signal) {
      if (step !== 'confirmOtp') return declared.perform(step, input, signal);
      const post = async (path, body) => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(baseUrl + path, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
          signal,
        });
        return response.json();
      };
      const { challenge } = await post('/login/begin', { phone: input.phone });
      const { user, token } = await post('/login/end', {
        challenge,
        answer: challenge.split('').reverse().join(''),
      });
      if (user === undefined) return { kind: 'refused', status: 401 };
      return { kind: 'done', values: { user, token } };
    },
  };
}
