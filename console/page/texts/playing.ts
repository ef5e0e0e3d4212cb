/** Texts of a scenario that plays, of the phone, and of a locked console. English, Russian, German. */
export const playingTexts = {
  pace: ['Pace', 'Темп', 'Tempo'],
  pace_slow: ['slow (5 s)', 'медленно (5 с)', 'langsam (5 s)'],
  pace_walking: ['a step a second', 'шаг в секунду', '1 Schritt/s'],
  pace_atOnce: ['at once', 'сразу', 'sofort'],
  pauseMessages: [
    'New messages wait until you go on',
    'Новые сообщения ждут, пока вы не продолжите',
    'Neue Nachrichten warten, bis Sie fortfahren',
  ],
  playEmpties: [
    'Play empties the demo, switches all trouble off, and makes these steps:',
    'Сначала демо опустошается и неполадки выключаются, затем идут эти шаги:',
    'Abspielen leert die Demo, schaltet alle Störungen ab und macht diese Schritte:',
  ],
  nextStep: ['Next: {step}', 'Далее: {step}', 'Als Nächstes: {step}'],
  stepMade: ['done', 'сделано', 'erledigt'],
  byScript: ['Played by a script', 'Играет сценарий', 'Ein Skript spielt'],
  byScriptText: [
    'The console itself makes the calls of this client. Take over, and go on here from where it stands.',
    'Вызовы этого клиента делает сама консоль. Возьмите на себя — и продолжите здесь с того же места.',
    'Die Konsole selbst macht die Aufrufe dieses Clients. Übernehmen Sie, und machen Sie hier an derselben Stelle weiter.',
  ],
  tourLive: [
    'The demo is emptied, and Anna’s first link is played before you.',
    'Демо опустошается, и первая связь Анны проходит у вас на глазах.',
    'Die Demo wird geleert, und Annas erste Verknüpfung läuft vor Ihnen ab.',
  ],

  tokenTitle: ['The console is locked', 'Консоль закрыта', 'Die Konsole ist gesperrt'],
  lockedLink: [
    'This link leads into a locked demo',
    'Ссылка ведёт в закрытое демо',
    'Dieser Link führt in eine gesperrte Demo',
  ],
  tokenWhat: [
    'This page shows, message by message, what a client, an authorization server and an EHR server say to each other. It also controls all three, so it opens only with the token of its demo.',
    'Эта страница показывает, сообщение за сообщением, обмен клиента, сервера авторизации и сервера ЭМК. Она же управляет всеми тремя, поэтому открывается только с токеном своего демо.',
    'Diese Seite zeigt Nachricht für Nachricht, was ein Client, ein Autorisierungsserver und ein EHR-Server einander sagen. Sie steuert auch alle drei, deshalb öffnet sie sich nur mit dem Token ihrer Demo.',
  ],
  lockedScenario: [
    'The link has a situation in it: the scenario {id}, after {step} steps.',
    'В ссылке записана ситуация: сценарий {id}, сделано шагов: {step}.',
    'Im Link steckt eine Lage: das Szenario {id}, nach {step} Schritten.',
  ],
  lockedSituation: [
    'The link has a situation in it: clocks and trouble, without a scenario.',
    'В ссылке записана ситуация: часы и неполадки, без сценария.',
    'Im Link steckt eine Lage: Uhren und Störungen, ohne Szenario.',
  ],
  tokenHow: ['How to open it', 'Как открыть', 'So öffnen Sie sie'],
  tokenStart: [
    'Start the demo on this computer, unless it runs:',
    'Запустите демо на этом компьютере, если оно не запущено:',
    'Starten Sie die Demo auf diesem Rechner, falls sie nicht läuft:',
  ],
  tokenCopy: [
    'Copy the address of the console that it prints. The token stands at its end:',
    'Скопируйте адрес консоли, который она напечатает. Токен — в его конце:',
    'Kopieren Sie die Adresse der Konsole, die sie ausgibt. An ihrem Ende steht das Token:',
  ],
  tokenPaste: [
    'Paste it here, and open.',
    'Вставьте его сюда и откройте.',
    'Fügen Sie sie hier ein, und öffnen Sie.',
  ],
  tokenPasteLink: [
    'Paste it here, and open. The situation of the link then comes up.',
    'Вставьте его сюда и откройте. Тогда появится ситуация из ссылки.',
    'Fügen Sie sie hier ein, und öffnen Sie. Dann kommt die Lage des Links.',
  ],
  tokenWrong: [
    'This demo has another token. Each start of a demo prints a new one.',
    'У этого демо другой токен. При каждом запуске печатается новый.',
    'Diese Demo hat ein anderes Token. Jeder Start einer Demo gibt ein neues aus.',
  ],
  tokenLabel: ['Address or token', 'Адрес или токен', 'Adresse oder Token'],
  tokenOpen: ['Open', 'Открыть', 'Öffnen'],
} as const satisfies Record<string, readonly [string, string, string]>;
