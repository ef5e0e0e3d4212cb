/** Texts of the panel that shows the calls. English, Russian. */
import type { Row } from './language.ts';

export const wireTexts = {
  wireTitle: ['What happens on the wire', 'Что происходит на линии'],
  calls: ['Calls: {n}', 'Вызовов: {n}'],
  wireEmpty: [
    'Each call this page makes appears here: to whom, what for, and how it ended. Secrets and patient data are masked.',
    'Здесь появится каждый вызов этой страницы: к кому, зачем и чем он закончился. Секреты и данные пациента скрыты.',
  ],
  partyAuth: ['Authorization server', 'Сервер авторизации'],
  partyEhr: ['EHR server', 'Сервер ЭМК'],
  routeClient: ['client', 'клиент'],
  routeTo: ['to', 'к'],
  routeAuth: ['authorization server', 'сервер авторизации'],
  routeEhr: ['EHR server', 'сервер ЭМК'],
  patientDataSent: ['Patient data sent: {fields}', 'Отправлено данных пациента: {fields}'],
  none: ['none', 'нет'],
  carriesPatientData: ['carries patient data: {fields}', 'несёт данные пациента: {fields}'],
  verdictPending: ['waiting…', 'ждём…'],
  verdictOk: ['ok', 'ок'],
  verdictRefused: ['refused', 'отказ'],
  verdictUnreachable: ['not reached', 'недоступен'],
  verdictTimeout: ['no answer in time', 'нет ответа вовремя'],
  verdictNonsense: ['not a valid reply', 'неверный ответ'],
  request: ['Request', 'Запрос'],
  reply: ['Reply', 'Ответ'],
  requestOf: ['Request of {method}', 'Запрос {method}'],
  replyTo: ['Reply to {method}', 'Ответ на {method}'],
  nothingReadable: ['Nothing that could be read.', 'Прочитать нечего.'],
} as const satisfies Record<string, Row>;
