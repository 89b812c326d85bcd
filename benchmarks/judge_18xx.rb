# Loads exported records with the engine of 18xx.games: `ruby judge_18xx.rb LIB FILE...`, where LIB is the folder `lib`
# of its public repository. Prints one JSON object a file: its refusal, or its result and each run it values otherwise.
require 'json'
require 'logger'
require 'set'
require 'time'

# The engine asks for its own files by way of a package that need not be installed.
module Kernel
  alias require_as_ever require

  def require(name)
    name == 'require_all' || require_as_ever(name)
  end

  def require_rel(*names)
    from = File.dirname(caller_locations(1, 1).first.absolute_path)
    names.each do |name|
      path = File.expand_path(name, from)
      File.directory?(path) ? Dir["#{path}/**/*.rb"].sort.each { |file| require file } : require(path)
    end
  end
end

$LOAD_PATH.unshift(File.expand_path(ARGV.shift))
require 'engine'
LOGGER.level = Logger::FATAL

# What the routes earn without the figures that the record states for them.
module Revalued
  def process_single_action(action)
    revalue(action) if action.type == 'run_routes'
    super
  end

  def revalue(action)
    stated = action.routes.map(&:revenue)
    routes = []
    action.routes.each do |route|
      ways, nodes = %i[@connection_hexes @node_signatures].map { |name| route.instance_variable_get(name) }
      routes << Engine::Route.new(self, phase, route.train, routes: routes, connection_hexes: ways, nodes: nodes,
                                                            halts: route.halts)
    end
    (@runs ||= []) << nil
    earned = routes.map(&:revenue)
    revalued << [action.id, stated, earned] if earned != stated
  rescue Engine::GameError => e
    revalued << [action.id, stated, e.message]
  end

  def revalued
    @revalued ||= []
  end

  def runs
    (@runs || []).size
  end
end
Engine::Game::Base.prepend(Revalued)

ARGV.each do |file|
  record = JSON.parse(File.read(file))
  game = Engine::Game.load(record, strict: true)
  told = { file: file, runs: game.runs, revalued: game.revalued.first(3) }
  if game.exception
    told.update(action: game.broken_action&.id, refusal: game.exception.message.lines.first.to_s.strip)
  else
    told.update(finished: game.finished, result: game.result, reason: game.finished ? game.game_end_reason : nil)
  end
  puts JSON.generate(told)
  $stdout.flush
end
