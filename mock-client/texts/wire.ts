/** Texts of the panel that shows the calls. English, Russian, German. */
import type { Row } from './language.ts';

export const wireTexts = {
  wireTitle: ['What happens on the wire', 'Что происходит на линии', 'Was auf der Leitung geschieht'],
  calls: ['Calls: {n}', 'Вызовов: {n}', 'Aufrufe: {n}'],
  wireEmpty: [
    'Each call this page makes appears here: to whom, what for, and how it ended. Secrets and patient data are masked.',
    'Здесь появится каждый вызов этой страницы: к кому, зачем и чем он закончился. Секреты и данные пациента скрыты.',
    'Hier erscheint jeder Aufruf dieser Seite: an wen, wozu und wie er endete. Geheimnisse und Patientendaten sind maskiert.',
  ],
  partyAuth: ['Authorization server', 'Сервер авторизации', 'Autorisierungsserver'],
  partyEhr: ['EHR server', 'Сервер ЭМК', 'EHR-Server'],
  routeClient: ['client', 'клиент', 'Client'],
  routeTo: ['to', 'к', 'an'],
  routeAuth: ['authorization server', 'сервер авторизации', 'Autorisierungsserver'],
  routeEhr: ['EHR server', 'сервер ЭМК', 'EHR-Server'],
  patientDataSent: [
    'Patient data sent: {fields}',
    'Отправлено данных пациента: {fields}',
    'Gesendete Patientendaten: {fields}',
  ],
  none: ['none', 'нет', 'keine'],
  carriesPatientData: [
    'carries patient data: {fields}',
    'несёт данные пациента: {fields}',
    'enthält Patientendaten: {fields}',
  ],
  verdictPending: ['waiting…', 'ждём…', 'wartet …'],
  verdictOk: ['ok', 'ок', 'ok'],
  verdictRefused: ['refused', 'отказ', 'abgelehnt'],
  verdictUnreachable: ['not reached', 'недоступен', 'nicht erreicht'],
  verdictTimeout: ['no answer in time', 'нет ответа вовремя', 'keine rechtzeitige Antwort'],
  verdictNonsense: ['not a valid reply', 'неверный ответ', 'keine gültige Antwort'],
  request: ['Request', 'Запрос', 'Anfrage'],
  reply: ['Reply', 'Ответ', 'Antwort'],
  requestOf: ['Request of {method}', 'Запрос {method}', 'Anfrage von {method}'],
  replyTo: ['Reply to {method}', 'Ответ на {method}', 'Antwort auf {method}'],
  nothingReadable: ['Nothing that could be read.', 'Прочитать нечего.', 'Nichts Lesbares.'],
} as const satisfies Record<string, Row>;
