/** The EHR server that the script of a case plays for a client. */

/** The functions that are written into the script. */
export const ehrFunctions: Readonly<Record<string, string>> = {
  ehrAnswer: `
/** The EHR server as a client sees it. */
function ehrAnswer({ method, params, cred }) {
  if (method === 'embedded_storage.authenticate') return authenticated(params ?? {});
  const session = known.sessions.get(cred?.token);
  const link = known.links.get(session?.user);
  if (!link || session.link !== link || session.user !== cred.user) return refused(-33000, 'not_authorized');
  if (now() >= session.until) return refused(-33001, 'session_expired');
  if (method === 'patient.get_patient') return recordOf(link);
  if (method === 'embedded_storage.remove_auth_info') session.link = undefined;
  else if (method === 'embedded_storage.remove_authentication') known.links.delete(session.user);
  else return refused(-32601, 'method_not_found');
  return { result: {} };
}`,
  authenticated: `
/** Links the user of an exchange token with the one patient whom the properties fit. */
function authenticated({ exchangeToken, patientProperties: properties, ...search }) {
  if (!['surname', 'date', 'phone'].every((name) => typeof properties?.[name] === 'string'))
    return refused(-32602, 'invalid_params');
  const token = known.tokens.get(exchangeToken);
  if (!token || token.isUsed) return refused(-33000, 'exchange_token_unknown');
  if (now() >= token.until) return refused(-33001, 'exchange_token_expired');
  if (token.failures >= 5) return refused(-33002, 'exchange_token_exhausted');
  const { session } = token;
  const [patient] = PATIENTS.filter((each) => fits(each, { ...properties, ...search }));
  const link = known.links.get(session.user);
  const isTaken = !link && [...known.links.values()].some(({ id }) => id === patient?.id);
  const reason = !patient
    ? [-34001, 'patient_not_matched']
    : link && link.id !== patient.id
      ? [-34000, 'patient_already_matched']
      : isTaken
        ? [-34009, 'patient_already_linked']
        : undefined;
  if (reason) {
    token.failures += 1;
    return refused(...reason);
  }
  token.isUsed = true;
  session.link = link ?? { id: patient.id, sign: draw('user_sign') };
  known.links.set(session.user, session.link);
  return recordOf(session.link);
}`,
  fits: `
/** Whether properties fit a patient. */
function fits({ name, surname, birthdate, phones, medcardNumber }, sent) {
  const key = (text) => String(text).normalize('NFC').trim().toLowerCase().replaceAll('ё', 'е');
  const phone = sent.phone.replace(/x.*$/, '').replace(/\\D/g, '').replace(/^8(?=\\d{10}$)/, '7');
  if (!phones.includes(phone)) return false;
  if (sent.searchStrategy === 'MEDCARD') return key(sent.medCardId) === key(medcardNumber);
  const isName = sent.name === undefined || key(sent.name) === key(name);
  return isName && key(sent.surname) === key(surname) && sent.date.slice(0, 10) === birthdate.slice(0, 10);
}`,
  recordOf: `
function recordOf({ id, sign }) {
  return { result: { patient: PATIENTS.find((each) => each.id === id), user_sign: sign, userSign: sign } };
}`,
};
